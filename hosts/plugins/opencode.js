// Made by kfw init opencode; kfw init opencode --uninstall removes it. Every tool result goes through kfw hook.
import { spawn } from "node:child_process"

const command = []
const asked = []

const ask = (event) =>
  new Promise((resolve, reject) => {
    const kfw = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "ignore"], timeout: 30000 })
    const said = []
    kfw.on("error", reject)
    kfw.stdin.on("error", () => {}) // the exit status says more
    kfw.stdout.on("data", (bytes) => said.push(bytes))
    kfw.on("close", (status) => {
      if (status !== 0) return reject(new Error("kfw hook failed"))
      try {
        resolve(said.length > 0 ? JSON.parse(Buffer.concat(said).toString()) : undefined)
      } catch (broken) {
        reject(broken)
      }
    })
    kfw.stdin.end(JSON.stringify({ host: "opencode", ...event }))
  })

const about = (name, { sessionID, callID, tool, args }) =>
  ({ hook_event_name: name, session_id: sessionID, tool_use_id: callID, tool_name: tool, tool_input: args, cwd: process.cwd() })

const texts = ["title", "output", "metadata", "content", "structuredContent", "attachments"]

export const Kfw = async () => ({
  "tool.execute.before": async (call, { args }) => {
    if (!asked.includes(call.tool)) return
    let answer
    try {
      answer = await ask(about("tool.execute.before", { ...call, args }))
    } catch {
      return // nothing has been said yet that could leak
    }
    if (answer?.deny) throw new Error(answer.deny)
  },
  "tool.execute.after": async (call, result) => {
    try {
      const response = Object.fromEntries(texts.filter((key) => result[key] !== undefined).map((key) => [key, result[key]]))
      const answer = await ask({ ...about("tool.execute.after", call), tool_response: response })
      if (answer?.withheld) throw { withheld: answer.withheld }
      if (answer) Object.assign(result, answer.tool_response)
    } catch (broken) {
      const withheld = "kfw: withheld: " + (broken?.withheld ?? command[0] + " can't be run") + "\n"
      for (const key of texts) {
        if (key === "content" && result.content) result.content = [{ type: "text", text: withheld }]
        else if (typeof result[key] === "string") result[key] = key === "output" ? withheld : ""
        else if (key === "metadata" && result.metadata) result.metadata = {}
        else delete result[key]
      }
    }
  },
  event: async ({ event }) => {
    if (event.type !== "session.compacted") return
    await ask({ hook_event_name: event.type, session_id: event.properties?.sessionID }).catch(() => {})
  },
})
