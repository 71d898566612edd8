#!/bin/sh
# An agent in a shell: it asks a model, has kfw guard the answer, runs the tools that were let through, and asks again, until
# there is nothing to run. The model speaks as OpenAI's chat completions do. It needs curl and jq.
#
#	turn-loop.sh URL REQUEST.json
set -eu
url=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$2" "$work/request.json"
cd "$work"

# say adds the messages on standard input, a JSON array, to the request.
say() {
	jq --slurpfile more /dev/stdin '.messages += $more[0]' request.json >next.json
	mv next.json request.json
}

# run runs a tool: its name and its arguments, which are JSON.
run() {
	case $1 in
	add) printf '%s' "$2" | jq '.a + .b' ;;
	*) echo "there is no tool $1" ;;
	esac
}

for _ in 1 2 3 4 5 6 7 8; do
	status=0
	curl -sN "$url" -H 'Content-Type: application/json' -d @request.json |
		kfw turn --tools @request.json --on-invalid retry --deny 'add:a=~^666$' >events || status=$?
	case $(jq -r 'select(.e == "turn") | .error.code // "complete"' events) in
	complete) jq 'select(.e == "turn").messages' events | say ;;
	abandoned) # a tool that was not offered: the model is told so, and asked again
		jq 'select(.e == "rollback").messages' events | say
		continue
		;;
	*) exit "$status" ;; # kfw has said why
	esac
	jq -c 'select(.e == "call_end")' events >calls
	if [ ! -s calls ]; then
		jq -r 'select(.e == "turn").turn.text' events
		exit
	fi
	while read -r call; do
		result=$(run "$(printf '%s' "$call" | jq -r .name)" "$(printf '%s' "$call" | jq .args)")
		printf '%s' "$call" | jq --arg result "$result" '[{role: "tool", tool_call_id: .id, content: $result}]' | say
	done <calls
done
echo 'too many turns' >&2
exit 1
