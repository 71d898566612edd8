// Reads recorded streams as the official clients do. On standard input a JSON array of {protocol, path}; on standard output
// an array of what each stream is to the client: text, reasoning, calls and why it ended, or an error.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import OpenAI from "openai";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";

let body;
const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
globalThis.fetch = fetch;
const options = { apiKey: "none", fetch, maxRetries: 0 };
const openai = new OpenAI(options);
const anthropic = new Anthropic(options);
const google = new GoogleGenAI({ apiKey: "none" });
const ask = { model: "m", messages: [{ role: "user", content: "x" }] };

const readers = {
  "openai-chat": async () => {
    const { choices } = await openai.chat.completions.stream({ ...ask }).finalChatCompletion();
    const { message, finish_reason } = choices[0];
    return {
      text: message.content ?? "",
      calls: (message.tool_calls ?? []).map((c) => [c.id, c.function?.name, c.function?.arguments]),
      reason: finish_reason,
    };
  },
  "openai-responses": async () => {
    const response = await openai.responses.stream({ model: "m", input: "x" }).finalResponse();
    const of = (type) => response.output.filter((item) => item.type === type);
    return {
      text: response.output_text,
      reasoning: of("reasoning").flatMap((r) => [...(r.summary ?? []), ...(r.content ?? [])]).map((s) => s.text).join(""),
      calls: of("function_call").map((c) => [c.call_id, c.name, c.arguments]),
      reason: response.status,
    };
  },
  "anthropic-messages": async () => {
    const message = await anthropic.messages.stream({ ...ask, max_tokens: 1 }).finalMessage();
    const of = (type) => message.content.filter((block) => block.type === type);
    return {
      text: of("text").map((b) => b.text).join(""),
      reasoning: of("thinking").map((b) => b.thinking + b.signature).join(""),
      calls: of("tool_use").map((b) => [b.id, b.name, JSON.stringify(b.input)]),
      hosted: message.content.map((b) => b.type).filter((t) => !["text", "thinking", "tool_use"].includes(t)),
      reason: message.stop_reason,
    };
  },
  gemini: async () => {
    const said = { text: "", reasoning: "", calls: [], reason: null };
    for await (const chunk of await google.models.generateContentStream({ model: "m", contents: "x" })) {
      const candidate = chunk.candidates?.[0];
      said.reason = candidate?.finishReason ?? said.reason;
      for (const part of candidate?.content?.parts ?? []) {
        if (part.functionCall) said.calls.push([part.functionCall.name, JSON.stringify(part.functionCall.args ?? {})]);
        else if (part.thought) said.reasoning += part.text ?? "";
        else said.text += part.text ?? "";
      }
    }
    return said;
  },
};

let input = "";
for await (const line of createInterface({ input: process.stdin })) input += line;
const all = [];
for (const { protocol, path } of JSON.parse(input)) {
  body = readFileSync(path);
  try {
    all.push(await readers[protocol]());
  } catch (error) {
    all.push({ error: String(error).split("\n")[0] });
  }
}
console.log(JSON.stringify(all));
