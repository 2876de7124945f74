export type { ErrorCode } from './generated/codes.ts';
export * from './generated/operations/index.ts';
export type * from './generated/types.ts';
export type * as wire from './generated/wire.ts';
export type { Operation, OperationTypes, TypesOf, WireAnswer, WireRequest } from './operation.ts';
