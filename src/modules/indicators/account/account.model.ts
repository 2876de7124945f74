export type PauseReason = 'unavailable' | 'session-over' | 'limited';

export interface Account {
  faults: number;
  pausedUntil: Date | null;
  pauseReason: PauseReason | null;
  pausedSince: Date | null;
  lastSuccessAt: Date | null;
}
