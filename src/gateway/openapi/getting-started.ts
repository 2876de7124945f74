/** The first page of the reference, in Markdown. */
export const GETTING_STARTED = `
The backend platform of paid trading-education communities. Members sign in by what they have bought, hold a wallet of Keys, study
courses with videos, follow and tip educators, chat, watch livestreams, discuss in communities, share trade ideas, find all of it by
search, and are given access to indicators on a charting platform; they are notified in the app, by e-mail and by push. Operators
administer accounts and money, moderate, review requests of the marketplace, and read figures, failures and the audit log.

# Getting started

## 1. Get an API key

Every request under \`/v1\` carries \`X-API-Key\`. Operators issue keys with \`npm run platform -- keys create --name
"My app" --tier mobile\`, administrators with \`POST /v1/admin/api-keys\`. A key belongs to one environment and one tier,
and is shown once. A development server creates one at its first start and prints it when it is ready.

## 2. Sign in

\`\`\`sh
curl -s $URL/v1/auth/signin -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"email": "ada@example.com", "password": "correct horse battery", "platform": "web"}'
\`\`\`

The answer has an \`accessToken\` (15 minutes) and a \`refreshToken\` (30 days, one use). On \`401 TOKEN_EXPIRED\` send the
refresh token to \`POST /v1/auth/refresh-token\`, keep both new tokens, and repeat the request. New members sign up with
\`POST /v1/auth/signup\`.

## 3. Make the first call

\`\`\`sh
curl -s $URL/v1/user/profile -H "X-API-Key: $KEY" -H "Authorization: Bearer $ACCESS_TOKEN"
\`\`\`

# Conventions

## Answers

Success is \`{success: true, status, message, data, meta}\`. Ids are 24 hexadecimal characters, datetimes ISO 8601 in UTC with
milliseconds. Responses of more than 1 KB are compressed (\`br\`, \`gzip\`) if the client accepts it.

## Errors

Failure is \`{success: false, status, message, error, errorId, meta}\`. Branch on \`error\`, a stable code (each operation
lists its own); show \`message\` to users; give \`errorId\` to operators, who can look the failure up by it. \`422\` includes
\`errors: [{field, message}]\`, up to a hundred of them. \`429\` and \`503\` include the number of seconds to wait in
\`Retry-After\` and \`meta.retryAfter\`.

## Pages

Lists take \`page\` (from 1) and \`limit\` and return \`pagination: {page, limit, total, pages}\`. Long ones also take a
cursor, \`before\` or \`after\` an id, which is equally fast at any depth.

## Idempotent requests

Operations marked \`x-idempotent\` take an \`Idempotency-Key\`: a text of your choice without spaces, unique for each thing
that you want done. Within 24 hours, repeating a request with the same key has no further effect: the response is that
of the first request, with \`Idempotent-Replayed: true\`.

## Limits

Requests are limited for each key and member, by minute, hour and day. \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\`
describe the window that is closest to its limit. Bodies can have up to 64 KiB unless an operation states another limit
(\`x-max-body-bytes\`). Every answer has an \`X-Request-Id\`: yours, or a generated one.

## The live channel

Messages, notifications, presence and prices come over a WebSocket at \`/v1/live\`. Connect, send
\`{"type": "auth", "token": "<accessToken>"}\` first, then subscribe:
\`{"type": "subscribe", "channel": "chatroom", "chatroomId": "..."}\`. After a reconnect subscribe with \`after\`, the last
\`seq\` that you have seen, and the messages you missed come first. [The reference of the live channel](/reference/live) lists every
command and message; \`/asyncapi.json\` is the machine-readable description (AsyncAPI 3.0).
`.trim();
