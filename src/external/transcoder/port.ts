/** Why a file can't become a video; each ends the matter, for trying again would not help. */
export const REFUSALS = {
  NOT_A_VIDEO: 'The file is not a video',
  UNSUPPORTED_FORMAT: 'The format of the video is not supported',
  TOO_LONG: 'The video is longer than 6 hours',
  DIMENSIONS: 'The picture is too large, too small, or has more than 120 frames a second',
  DAMAGED: 'The video is damaged or incomplete',
  NO_VIDEO_STREAM: 'The file has no video in it',
} as const;
export type RefusalCode = keyof typeof REFUSALS;

/** The file is at fault. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, detail?: string) {
    super(detail ? `${REFUSALS[code]} (${detail})` : REFUSALS[code]);
    this.code = code;
  }
}

/** The machine, or time, is at fault; trying again may help. */
export class TranscodeFault extends Error {
  override readonly name = 'TranscodeFault';
  readonly code: 'PROCESSING_TIMEOUT' | 'PROCESSING_FAILED';

  constructor(code: TranscodeFault['code'], detail: string) {
    super(detail);
    this.code = code;
  }
}

/** What is known of a source before it is decoded. */
export interface SourceFacts {
  durationSeconds: number;
  /** Of the video alone, where the file says so. */
  videoSeconds: number | undefined;
  /** As displayed: square pixels, rotated. */
  width: number;
  height: number;
  /** Frames a second, as a fraction. */
  frameRate: { numerator: number; denominator: number };
  /** Indices of the streams in the file. */
  videoStream: number;
  audioStream: number | undefined;
  isInterlaced: boolean;
  isHighDynamicRange: boolean;
}

/** One rendition of the picture. */
export interface Rung {
  name: string;
  width: number;
  height: number;
  maxKbps: number;
}

/** The small pictures for scrubbing, in sheets. */
export interface Sprites {
  intervalSeconds: number;
  width: number;
  height: number;
  columns: number;
  rows: number;
}

/** A piece of the work that is done, stored and remembered as a whole. */
export interface Part {
  name: string;
  kind: 'whole' | 'stretch' | 'sound' | 'sprites' | 'pictures';
  startSeconds: number;
  seconds: number;
  /** Its share of the work. */
  weight: number;
}

/** Everything that will be made of a source. It follows from the source's facts alone, at every attempt alike. */
export interface Plan {
  facts: SourceFacts;
  rungs: Rung[];
  sprites: Sprites;
  parts: Part[];
}

export interface Segment {
  uri: string;
  seconds: number;
  bytes: number;
}

/** What a part adds to one rendition, or to the sound. URIs are relative to the part's folder. */
export interface Track {
  name: string;
  /** As in the CODECS attribute: RFC 6381. */
  codec: string;
  init: string;
  segments: Segment[];
}

export interface MadePart {
  name: string;
  tracks: Track[];
  /** All files, relative to the part's folder. */
  files: string[];
}

/** A part and the folder it is stored in, relative to the folder that the playlists' folder is in. */
export interface StoredPart extends MadePart {
  path: string;
}

export interface Documents {
  /** Playlists and the table of sprites by their path below the playlists' folder. */
  texts: Record<string, string>;
  /** Paths relative to the same folder. */
  poster: string;
}

interface Work {
  source: string;
  /** An empty folder of the part's own. */
  folder: string;
  plan: Plan;
  signal: AbortSignal;
  onProgress: (seconds: number) => void;
}

/** Makes streams of video files. Nothing is believed about a file. */
export interface Transcoder {
  /** Whether the programs that it needs are there; installing them is noticed within a minute. */
  isAvailable(): boolean;
  /** What to do so that it is. */
  advice: string;
  /** Whether these first bytes are those of a container that is taken. */
  isVideo(head: Buffer): boolean;
  /** Makes a folder for one source and all that comes of it, and an empty one for each part. */
  openFolder(): Promise<{ path: string; partFolder(name: string): Promise<string>; remove(): Promise<void> }>;
  /** @throws SourceRefused, TranscodeFault */
  probe(source: string, signal: AbortSignal): Promise<SourceFacts>;
  planFor(facts: SourceFacts): Plan;
  /** @throws SourceRefused, TranscodeFault */
  make(part: Part, work: Work): Promise<MadePart>;
  /** Writes the playlists over all parts of a plan. */
  documents(plan: Plan, parts: StoredPart[]): Documents;
  /** Removes folders that killed processes left. */
  sweep(): Promise<void>;
  /** Whether there is room for a source of this size and what is made of it. */
  hasRoomFor(bytes: number): Promise<boolean>;
}
