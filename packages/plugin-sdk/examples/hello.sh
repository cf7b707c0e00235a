#!/bin/sh
# A whole plugin in POSIX shell, without any library: docs/plugins/protocol.md in fewer than sixty lines.
# It needs kv:read, kv:write, log:write and host:file. Standard output is the wire; words for people go to standard error.
set -eu

action=${1:-}
calls=0

answer() { printf '{"jsonrpc":"2.0","id":0,"result":%s}\n' "$1"; }
refuse() { printf '{"jsonrpc":"2.0","id":0,"error":{"code":1,"message":"%s"}}\n' "$1"; exit 0; }

# One broker call; its answer is the next line, because this plugin never has two calls under way.
call() {
  calls=$((calls + 1))
  printf '{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}\n' "$calls" "$1" "$2"
  IFS= read -r reply || exit 1
}

# The server's JSON has no blanks between its tokens; this finds a string that holds no escapes, and nothing else.
text_of() { printf '%s\n' "$reply" | sed -n 's/.*"'"$1"'":"\([^"\\]*\)".*/\1/p'; }

IFS= read -r request || exit 1
case $request in
  *'"method":"'"$action"'"'*) ;;
  *) echo "started for $action and asked for something else" >&2; exit 1 ;;
esac

case $action in
  describe)
    call kv.get '{"key":"greeting"}'
    greeting=$(text_of value)
    answer '{"name":"Hello","version":"1.0.0","summary":"'"${greeting:-Nothing was planned yet.}"'"}'
    ;;
  health)
    call log.write '{"level":"info","message":"feeling well"}'
    case $reply in
      *'"error"'*) answer '{"status":"degraded","message":"my log cannot be written"}' ;;
      *) answer '{"status":"ok"}' ;;
    esac
    ;;
  plan)
    # The nodes stand last in the question, and each begins with its id. The plan depends on them and on nothing else.
    nodes=$(printf '%s\n' "$request" | sed 's/.*"nodes":\[//' | tr '{' '\n' |
      sed -n 's/^"id":"\(node_[0-9a-hjkmnp-tv-z]*\)".*/\1/p')
    [ -n "$nodes" ] || refuse 'nodes: expected at least one'
    call kv.put '{"key":"greeting","value":"A greeting was planned."}'
    operation='{"kind":"file.write","path":"/etc/motd","text":"hello\n","mode":"0644","owner":"root","group":"root"}'
    sections=
    for node in $nodes; do sections=$sections${sections:+,}'{"node":"'$node'","operations":['$operation']}'; done
    answer '{"title":"Greet whoever signs in","summary":"Writes the message of the day.","sections":['"$sections"']}'
    ;;
  *) echo "usage: hello.sh describe|health|plan" >&2; exit 1 ;;
esac
