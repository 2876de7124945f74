export { type Call, type Called, type Caller, createCaller } from './caller.ts';
export { type Client, createClient } from './client.ts';
export { type ClientCode, isPlatformError, PlatformError } from './errors.ts';
export { followStorage } from './following.ts';
export type { ErrorCode } from './generated/codes.ts';
export type { LiveErrorCode, LiveMessages } from './generated/live.ts';
export * from './generated/operations/index.ts';
export type * from './generated/types.ts';
export type * as wire from './generated/wire.ts';
export type { Fetch, HttpResponse, Signal, Socket, SocketMaker } from './host.ts';
export { once } from './intents.ts';
export type { SignedOutReason } from './kept.ts';
export { createLive, type Live } from './live/live.ts';
export type { Acknowledged, Room, RoomEvent } from './live/room.ts';
export type { LiveState } from './live/states.ts';
export type {
  Answer,
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
export type { Page, Pages } from './pages.ts';
export { type Player, type PlayerOptions, playerOf } from './player.ts';
export type { Session } from './session.ts';
export { signOutHere } from './signing-out.ts';
export { browserStorage, memoryStorage, type Storage, sharedByTabs } from './storage.ts';
export { finishedVideo, type Uploadable, type UploadOptions, uploadVideo } from './uploads.ts';
export { verifyWebhook, type WebhookHeaders } from './webhooks.ts';
