import { MAX_FRAME_RATE, MAX_SECONDS } from './limits.ts';

/** Reasons why a file cannot become a video; all are permanent, so a retry would not help. */
export const REFUSALS = {
  NOT_A_VIDEO: 'The file is not a video',
  UNSUPPORTED_FORMAT: 'The format of the video is not supported',
  TOO_LONG: `The video is longer than ${MAX_SECONDS / 3600} hours`,
  DIMENSIONS: `The picture is too large or too small, or has more than ${MAX_FRAME_RATE} frames per second`,
  DAMAGED: 'The video is damaged or incomplete',
  NO_VIDEO_STREAM: 'The file contains no video',
} as const;
export type RefusalCode = keyof typeof REFUSALS;

/** The source file is invalid. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, detail?: string) {
    super(detail ? `${REFUSALS[code]} (${detail})` : REFUSALS[code]);
    this.code = code;
  }
}

/** The machine failed or a time limit passed; a retry may help. */
export class TranscodeFault extends Error {
  override readonly name = 'TranscodeFault';
  readonly code: 'PROCESSING_TIMEOUT' | 'PROCESSING_FAILED';

  constructor(code: TranscodeFault['code'], detail: string) {
    super(detail);
    this.code = code;
  }
}

/** The facts of a source, known before it is decoded. */
export interface SourceFacts {
  durationSeconds: number;
  /** When the picture and the sound end, if declared. */
  videoSeconds: number | undefined;
  audioSeconds: number | undefined;
  /** Size as displayed: square pixels, rotated. */
  width: number;
  height: number;
  /** Frames per second, as a fraction. */
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

/** Thumbnails of a video from several moments, in order, besides its poster. */
export const THUMBNAILS = ['thumbnail-1.jpg', 'thumbnail-2.jpg', 'thumbnail-3.jpg'];

/** The thumbnails for scrubbing, in sheets. */
export interface Sprites {
  intervalSeconds: number;
  width: number;
  height: number;
  columns: number;
  rows: number;
}

/** A unit of work that is done, stored and recorded as a whole. */
export interface Part {
  name: string;
  kind: 'whole' | 'stretch' | 'sound' | 'sprites' | 'pictures';
  startSeconds: number;
  seconds: number;
  /** Its relative share of the work. */
  weight: number;
}

/** All outputs of a source. Depends only on the source's facts, so that it is identical at every attempt. */
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

/** A part's contribution to one rendition, or to the sound. URIs are relative to the part's folder. */
export interface Track {
  name: string;
  /** The value for the CODECS attribute (RFC 6381). */
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

/** A part and its storage folder, relative to the parent of the playlists' folder. */
export interface StoredPart extends MadePart {
  path: string;
}

export interface Documents {
  /** Playlists and the table of sprites, by their path below the playlists' folder. */
  texts: Record<string, string>;
  /** Path relative to the same folder. */
  poster: string;
}

interface Work {
  source: string;
  /** An empty folder for this part only. */
  folder: string;
  plan: Plan;
  signal: AbortSignal;
  onProgress: (seconds: number) => void;
}

/** Sizes of pictures: the side of the bounding square, in pixels. */
export const PICTURE_SIDES = { small: 160, medium: 480, large: 1280 } as const;
export type PictureSize = keyof typeof PICTURE_SIDES;

/** Transcodes video files into streams, and pictures into sizes. Treats every file as untrusted. */
export interface Transcoder {
  /** Whether the required programs are installed; an installation is noticed within a minute. */
  isAvailable(): boolean;
  /** How to make them available. */
  advice: string;
  /** Whether a file's first bytes are those of an accepted container. */
  isVideo(head: Buffer): boolean;
  /** Creates a folder for one source and its outputs, with an empty folder for each part. */
  openFolder(): Promise<{ path: string; partFolder(name: string): Promise<string>; remove(): Promise<void> }>;
  /** @throws SourceRefused, TranscodeFault */
  probe(source: string, signal: AbortSignal): Promise<SourceFacts>;
  planFor(facts: SourceFacts): Plan;
  /** @throws SourceRefused, TranscodeFault */
  make(part: Part, work: Work): Promise<MadePart>;
  /**
   * Makes a picture in all sizes, as WebP; returns the paths of the files.
   * @throws SourceRefused when it cannot be read, TranscodeFault
   */
  shrink(picture: {
    source: string;
    /** Of its type: `jpg`, `png`, `webp`, `gif` or `avif`. */
    extension: string;
    /** An empty folder for its sizes only. */
    folder: string;
    signal: AbortSignal;
  }): Promise<Record<PictureSize, string>>;
  /** Returns the playlists over all parts of a plan. */
  documents(plan: Plan, parts: StoredPart[]): Documents;
  /** Removes folders left by killed processes. */
  sweep(): Promise<void>;
  /** Whether there is space for a source of this size and its outputs. */
  hasRoomFor(bytes: number): Promise<boolean>;
}
