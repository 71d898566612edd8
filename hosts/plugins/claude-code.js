// Made by kfw init claude-code --plugin; kfw init claude-code --uninstall removes it. Every tool result goes through kfw hook.
const command = []

const withheld = (why) => ({ deny: "kfw: withheld: " + why + "\n" })
const failed = () => withheld(command[0] + " can't be run")

const ask = async ($, { tool, tool_use_id, agentId, consent, requestMeta, $shadowed, ...input }, response, took) => {
  const event = {
    hook_event_name: "PostToolUse",
    kfw: "plugin",
    session_id: await $.session.id(),
    transcript_path: (await $.session.info()).transcriptPath,
    cwd: await $.session.cwd(),
    agent_id: agentId,
    tool_use_id,
    tool_name: tool,
    tool_input: { ...input, ...$shadowed },
    tool_response: response,
    duration_ms: took,
  }
  const said = await $.process.run(command, { stdin: JSON.stringify(event), timeoutMs: 30000 })
  if (said.exitCode !== 0 || said.isStdoutTruncated) throw new Error("kfw hook failed")
  return said.stdout === "{}\n" ? undefined : JSON.parse(said.stdout)
}

export const register = (on) => {
  // The hook of the settings leaves to this plugin what the plugin takes to kfw itself.
  on("classic.PostToolUse", ($, e, next) => next({ ...e, kfw: "aside" }))

  on("tool.call", async ($, e, next) => {
    const begin = Date.now()
    const ran = await next(e)
    if (!Object.hasOwn(ran, "result")) return ran // refused: nothing has run
    try {
      const answer = await ask($, e, ran.isError ? ran.text : ran.result, Date.now() - begin)
      if (answer === undefined) return ran // it stays as it is
      const result = answer.hookSpecificOutput.updatedToolOutput
      if (result === undefined || (ran.isError && typeof result !== "string")) return failed()
      if (ran.isError) return { deny: result }
      const { text, ...rest } = ran
      return { ...rest, result } // the host refuses a result of another form
    } catch {
      return failed()
    }
  }).catch(failed)
}
