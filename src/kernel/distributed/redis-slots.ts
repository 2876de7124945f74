// What a cluster tells of itself (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/).
import { otherServer } from './redis-urls.ts';

const SLOTS = 16_384;
/** The polynomial of CRC-16/XMODEM. */
const POLYNOMIAL = 0x1021;

/** Returns the slot of a key or channel: that of the text between its first braces, if there is one. */
export function slotOf(key: string): number {
  const open = key.indexOf('{');
  const close = open < 0 ? -1 : key.indexOf('}', open + 1);
  const tag = close > open + 1 ? key.slice(open + 1, close) : key;
  let sum = 0;
  for (const byte of Buffer.from(tag)) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x8000 ? (sum << 1) ^ POLYNOMIAL : sum << 1;
  }
  return sum & (SLOTS - 1);
}

/** Which node has which slots, as one node knows it. */
export interface Layout {
  /** The URL of the primary of each slot; undefined where none is. */
  owners: (string | undefined)[];
  primaries: string[];
  /** Whether every slot has a primary and the cluster takes commands. */
  isWhole: boolean;
}

export const UNKNOWN_LAYOUT: Layout = { owners: [], primaries: [], isWhole: false };

/** The node of a range of slots: its address, port and identifier, and since Redis 7 further facts as a flat list. */
type NodeReply = [host: string | null, port: number, id: string, facts?: string[]];

/**
 * Reads the replies to CLUSTER SLOTS and CLUSTER INFO.
 * @param askedUrl the URL of the node that replied: the others take the same user, password and options
 */
export function layoutOf(askedUrl: string, slots: unknown, info: string): Layout {
  const owners: (string | undefined)[] = new Array(SLOTS).fill(undefined);
  for (const [from, to, node] of slots as [number, number, NodeReply][])
    owners.fill(nodeUrl(askedUrl, node), from, to + 1);
  const isWhole = /^cluster_state:ok/m.test(info) && !owners.includes(undefined);
  return { owners, primaries: [...new Set(owners)].filter((url) => url !== undefined), isWhole };
}

function nodeUrl(askedUrl: string, [host, port, , facts = []]: NodeReply): string {
  const isEncrypted = askedUrl.startsWith('rediss:');
  const name = facts[facts.indexOf('hostname') + 1];
  // Certificates usually have names rather than addresses.
  const preferred = isEncrypted && facts.includes('hostname') && name ? name : host;
  const isKnown = preferred && preferred !== '?';
  return otherServer(
    askedUrl,
    isKnown ? preferred : new URL(askedUrl).hostname.replace(/^\[|\]$/g, ''),
    port,
  );
}

/** Whether the node that replied with this error has lost the slot to another one. */
export const isMoved = (error: Error): boolean => error.message.startsWith('MOVED ');

/** The URL of the node that receives the slot of a command at present, if this error names one. */
export function askedElsewhere(askedUrl: string, error: Error): string | undefined {
  const [, host, port] = /^ASK \d+ (\S+):(\d+)$/.exec(error.message) ?? [];
  return host && port ? otherServer(askedUrl, host, Number(port)) : undefined;
}

const PASSING = /^(MOVED|ASK|TRYAGAIN|CLUSTERDOWN|LOADING|MASTERDOWN|READONLY)\b/;

/** Whether a command failed for a reason that another look at the cluster may find mended. */
export const isPassing = (error: Error): boolean =>
  error.name !== 'ReplyError' || PASSING.test(error.message);
