/** The first page of the reference, in Markdown. */
export const GETTING_STARTED = `
The backend platform of paid trading-education communities: members and sign-in, Keys and money, chatrooms, livestreams,
communities, trade ideas and notifications.

# Getting started

## 1. Get an API key

Every request under \`/v1\` carries \`X-API-Key\`. Operators issue keys with \`npm run platform -- keys create --name
"My app" --tier mobile\`, administrators with \`POST /v1/admin/api-keys\`. A key belongs to one environment and one tier,
and is shown once. A development server makes one by itself and prints it when it is ready.

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

# What holds everywhere

## Answers

Success is \`{success: true, status, message, data, meta}\`. Ids are 24 hexadecimal characters, datetimes ISO 8601 in UTC with
milliseconds. Answers of more than 1 KB are compressed (\`br\`, \`gzip\`) for clients that say they accept it.

## Errors

Failure is \`{success: false, status, message, error, errorId, meta}\`. Decide by \`error\`, a stable code (each operation
lists its own); show \`message\` to people; give \`errorId\` to operators, who look the failure up by it. \`422\` carries
\`errors: [{field, message}]\`, up to a hundred of them. \`429\` and \`503\` say in \`Retry-After\` and \`meta.retryAfter\` how
many seconds to wait.

## Pages

Lists take \`page\` (from 1) and \`limit\` and answer \`pagination: {page, limit, total, pages}\`. Long ones also take a
cursor, \`before\` or \`after\` an id, which is equally fast however far back it is.

## Repeating safely

Operations that are marked \`x-idempotent\` take an \`Idempotency-Key\`: a text of your own without spaces, new for each thing
that you want done. Repeat with the same key as often as you like; it is done once, and repetitions are answered alike
for 24 hours with \`Idempotent-Replayed: true\`.

## Limits

Limits count for each key and member, by minute, hour and day. \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` tell the
window that is closest to its end of allowance. Bodies are at most 64 KiB where an operation names nothing else
(\`x-max-body-bytes\`).

## The live channel

Messages, notifications, presence and prices come over a WebSocket at \`/v1/live\`. Connect, send
\`{"type": "auth", "token": "<accessToken>"}\` first, then subscribe:
\`{"type": "subscribe", "channel": "chatroom", "chatroomId": "..."}\`. After a reconnect subscribe with \`after\`, the last
\`seq\` that you have seen, and what you missed comes first. [The reference of the live channel](/reference/live) has every
command and message; \`/asyncapi.json\` describes them for programs (AsyncAPI 3.0).
`.trim();
