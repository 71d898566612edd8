// Made by kfw init cline; kfw init cline --uninstall removes it. Every tool result goes through kfw hook.
import { spawn } from "node:child_process"

const command: string[] = []
const asked: string[] = []

const ask = (event: object): Promise<any> =>
  new Promise((resolve, reject) => {
    const kfw = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "ignore"], timeout: 30000 })
    const said: Buffer[] = []
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
    kfw.stdin.end(JSON.stringify({ host: "cline", ...event }))
  })

const about = (name: string, { snapshot, toolCall, input }: any) => ({
  hook_event_name: name,
  session_id: snapshot?.conversationId ?? snapshot?.agentId,
  agent_id: snapshot?.parentAgentId ? snapshot.agentId : undefined,
  tool_use_id: toolCall?.toolCallId,
  tool_name: toolCall?.toolName,
  tool_input: input,
  cwd: process.cwd(),
})

export default {
  name: "kfw",
  manifest: { capabilities: ["hooks"] },
  hooks: {
    beforeTool: async (call: any) => {
      if (!asked.includes(call.toolCall?.toolName)) return
      try {
        const answer = await ask(about("beforeTool", call))
        if (answer?.deny) return { skip: true, reason: answer.deny }
        if (answer?.input) return { input: answer.input }
      } catch {
        return // nothing has been said yet that could leak
      }
    },
    afterTool: async (call: any) => {
      try {
        const response = { output: call.result.output }
        const answer = await ask({ ...about("afterTool", call), tool_response: response })
        if (answer?.withheld) throw { withheld: answer.withheld }
        if (answer) return { result: { ...call.result, ...answer.tool_response } }
      } catch (broken: any) {
        const why = broken?.withheld ?? command[0] + " can't be run"
        return { result: { ...call.result, output: "kfw: withheld: " + why + "\n" } }
      }
    },
  },
}
