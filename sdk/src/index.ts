export { type Call, type Called, type Caller, createCaller } from './caller.ts';
export { type Client, type CreateClientOptions, createClient } from './client.ts';
export { type ClientCode, type FailureMeta, PlatformError } from './errors.ts';
export type { ErrorCode } from './generated/codes.ts';
export type { LiveErrorCode, LiveMessages } from './generated/live.ts';
export * from './generated/operations/index.ts';
export type * from './generated/types.ts';
export type * as wire from './generated/wire.ts';
export type { Fetch, HttpResponse, Signal, Socket, SocketMaker } from './host.ts';
export { once } from './intents.ts';
export { isPlatformError } from './known-errors.ts';
export { createLive, type Live } from './live/live.ts';
export type { Acknowledged, Room, RoomEvent } from './live/room.ts';
export type { LiveState } from './live/states.ts';
export type {
  Answer,
  AnswerOf,
  CodeOf,
  DataOf,
  Operation,
  OperationTypes,
  RequestOf,
  TypesOf,
  WireAnswer,
  WireRequest,
} from './operation.ts';
export type { CallOptions, ClientOptions } from './options.ts';
export { followStorage } from './other-tabs.ts';
export type { Feed, FeedPage, Page, Pages } from './pages.ts';
export { type Player, type PlayerOptions, playerOf } from './player.ts';
export { type SettledOptions, settledPurchase } from './purchases.ts';
export { type KeepRegisteredOptions, keepRegistered } from './push.ts';
export type { Session } from './session.ts';
export type { SignedOutReason } from './signed-in.ts';
export { signOutHere } from './signing-out.ts';
export { steppingUp } from './step-up.ts';
export { browserStorage, memoryStorage, type Storage, sharedByTabs } from './storage.ts';
export { finishedVideo, type Uploadable, type UploadOptions, uploadVideo } from './uploads.ts';
export { verifyWebhook, type Webhook, type WebhookHeaders } from './webhooks.ts';
