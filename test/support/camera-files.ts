import { SAMPLES } from './pictures.ts';

/** What a camera wrote into every file, in all places where it may stand. */
export const PLACE = 'PLACE-52.5200N-13.4050E';
/** The orientation of the pictures: turned to the right. */
const ORIENTATION = 6;
/** The seconds since 1904 when a film was made. */
export const FILMED_AT = Buffer.from('e1b2c3d4', 'hex');

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const uint = (size: number, value: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
};

/** Exif data: the orientation, and the place as the maker of the camera. */
function tiff(): Buffer {
  const bytes = Buffer.from(
    '49492a00080000000200' + '0f0102000000000000000000' + '120103000100000000000000' + '00000000',
    'hex',
  );
  bytes.writeUInt32LE(PLACE.length, 14);
  bytes.writeUInt32LE(bytes.length, 18);
  bytes.writeUInt16LE(ORIENTATION, 30);
  return Buffer.concat([bytes, text(PLACE)]);
}

function jpeg(): Buffer {
  const segment = (marker: number, ...parts: Buffer[]): Buffer => {
    const content = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([0xff, marker]), uint(2, content.length + 2), content]);
  };
  const { jpg } = SAMPLES;
  return Buffer.concat([
    jpg.subarray(0, 20),
    segment(0xe0, text(`JFXX\0${PLACE}`)),
    segment(0xe1, text('Exif\0\0'), tiff()),
    segment(0xe1, text(`http://ns.adobe.com/xap/1.0/\0<x>${PLACE}</x>`)),
    segment(0xe2, text(`MPF\0${PLACE}`)),
    segment(0xe2, text('ICC_PROFILE\0\x01\x01a profile')),
    segment(0xed, text(`Photoshop 3.0\0${PLACE}`)),
    segment(0xfe, text(PLACE)),
    jpg.subarray(20),
    // The film of a moving photograph.
    SAMPLES.mp4,
    text(PLACE),
  ]);
}

/** The table of checksums that PNG uses, computed in the plainest way. */
function checksum(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Returns the names of the chunks of a PNG, all of whose checksums must be right. */
export function chunksOf(png: Buffer): string[] {
  const names: string[] = [];
  for (let at = 8; names.at(-1) !== 'IEND'; ) {
    const end = at + 8 + png.readUInt32BE(at);
    if (png.readUInt32BE(end) !== checksum(png.subarray(at + 4, end))) throw new Error('wrong checksum');
    names.push(png.toString('latin1', at + 4, at + 8));
    at = end + 4;
  }
  return names;
}

function png(): Buffer {
  const chunk = (type: string, content: Buffer): Buffer => {
    const named = Buffer.concat([text(type), content]);
    return Buffer.concat([uint(4, content.length), named, uint(4, checksum(named))]);
  };
  const sample = SAMPLES.png;
  return Buffer.concat([
    sample.subarray(0, 33),
    chunk('eXIf', tiff()),
    chunk('tEXt', text(`Author\0${PLACE}`)),
    chunk('iTXt', text(`XML:com.adobe.xmp\0\0\0\0\0${PLACE}`)),
    chunk('tIME', Buffer.from('07ea0b1e0c0000', 'hex')),
    chunk('caBX', text(PLACE.repeat(6_000))),
    sample.subarray(33),
    text(PLACE),
  ]);
}

function webp(): Buffer {
  const chunk = (type: string, content: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(content.length);
    return Buffer.concat([text(type), length, content, Buffer.alloc(content.length % 2)]);
  };
  const file = Buffer.concat([
    text('RIFF\0\0\0\0WEBP'),
    // With Exif data and XMP, of 6 by 4 pixels.
    chunk('VP8X', Buffer.from('0c000000050000030000', 'hex')),
    SAMPLES.webp.subarray(12),
    chunk('EXIF', tiff()),
    chunk('XMP ', text(PLACE)),
    chunk('note', text(PLACE)),
  ]);
  file.writeUInt32LE(file.length - 8, 4);
  return Buffer.concat([file, text(PLACE)]);
}

/** A picture of 6 by 4 pixels of one colour, as a GIF with a comment, a text, and XMP as Adobe writes it. */
function gif(): Buffer {
  const blocks = (content: Buffer): Buffer[] => {
    const all: Buffer[] = [];
    for (let at = 0; at < content.length; at += 255) {
      const block = content.subarray(at, at + 255);
      all.push(Buffer.from([block.length]), block);
    }
    return [...all, Buffer.alloc(1)];
  };
  // Whichever byte of the text is taken for a length, reading goes on within this and comes to its end.
  const trailer = Buffer.from([1, ...Array.from({ length: 256 }, (_, place) => 255 - place)]);
  // Codes of three bits: begin anew, two pixels of the first colour, and so on, then the end.
  const codes = [...Array.from({ length: 12 }, () => [4, 0, 0]).flat(), 5].map(
    (code, place) => BigInt(code) << BigInt(3 * place),
  );
  const picture = codes
    .reduce((all, code) => all | code)
    .toString(16)
    .padStart(28, '0');
  return Buffer.concat([
    text('GIF89a'),
    Buffer.from('06000400800000' + 'ff0000' + '0000ff', 'hex'),
    Buffer.from([0x21, 0xff, 11]),
    text('NETSCAPE2.0'),
    Buffer.from([3, 1, 0, 0, 0]),
    Buffer.from([0x21, 0xfe]),
    ...blocks(text(PLACE.repeat(50))),
    Buffer.from([0x21, 0xff, 11]),
    text(`XMP DataXMP<x>${PLACE}</x>`),
    trailer,
    Buffer.from([0]),
    Buffer.from([0x21, 0x01]),
    ...blocks(text(`twelve bytes${PLACE}`)),
    Buffer.from('21f904000a000000' + '2c000000000600040000' + '02', 'hex'),
    ...blocks(Buffer.from(picture, 'hex').reverse()),
    Buffer.from([0x3b]),
    text(PLACE),
  ]);
}

export const box = (type: string, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([uint(4, content.length + 8), text(type), content]);
};
const versioned = (type: string, ...parts: Buffer[]): Buffer => box(type, Buffer.alloc(4), ...parts);
/** Returns the first box of a type in a file. */
function boxIn(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, 'latin1') - 4;
  return file.subarray(at, at + file.readUInt32BE(at));
}
const contentIn = (file: Buffer, type: string): Buffer => boxIn(file, type).subarray(8);

/** An AVIF with Exif data among the pictures' and XMP beside its properties, one of which is a description. */
function avif(): Buffer {
  const { avif: sample } = SAMPLES;
  const picture = contentIn(sample, 'mdat');
  const exif = Buffer.concat([uint(4, 0), tiff()]);
  const info = (id: number, type: string, ...more: string[]): Buffer =>
    box('infe', uint(4, 0x02000000), uint(2, id), uint(2, 0), text(type), text(`${more.join('\0')}\0`));
  const place = (id: number, where: number, at: number, bytes: number): Buffer =>
    Buffer.concat([uint(2, id), uint(2, where), uint(2, 0), uint(2, 1), uint(4, at), uint(4, bytes)]);
  const header = (dataAt: number): Buffer =>
    Buffer.concat([
      sample.subarray(0, sample.readUInt32BE(0)),
      versioned(
        'meta',
        ...[boxIn(sample, 'hdlr'), boxIn(sample, 'pitm')],
        box(
          'iloc',
          Buffer.from('0100000044000003', 'hex'),
          place(1, 0, dataAt, picture.length),
          place(2, 0, dataAt + picture.length, exif.length),
          place(3, 1, 0, PLACE.length),
        ),
        versioned(
          'iinf',
          uint(2, 3),
          info(1, 'av01', PLACE),
          info(2, 'Exif'),
          info(3, 'mime', PLACE, 'application/rdf+xml'),
        ),
        box('idat', text(PLACE)),
        box(
          'iprp',
          box('ipco', contentIn(sample, 'ipco'), versioned('udes', text(`en\0${PLACE}\0`))),
          boxIn(sample, 'ipma'),
        ),
        box('xml ', text(PLACE)),
      ),
    ]);
  const dataAt = header(0).length + 8;
  return Buffer.concat([header(dataAt), box('mdat', picture, exif), box('uuid', text(PLACE))]);
}

/** A film with a place in the movie and the track, as XMP and as a track of its own, and when it was made. */
function mp4(): Buffer {
  const { mp4: sample } = SAMPLES;
  const front = sample.subarray(0, sample.indexOf('moov', 0, 'latin1') - 4);
  const place = box('udta', box('\xa9xyz', uint(2, PLACE.length), uint(2, 0), text(PLACE)));
  const places = box('mdat', text(PLACE));
  const stamped = (type: string): Buffer => {
    const bytes = Buffer.from(boxIn(sample, type));
    for (const at of [12, 16]) FILMED_AT.copy(bytes, at);
    return bytes;
  };
  const trackHeader = stamped('tkhd');
  // The name of the encoder, which cameras write themselves.
  const ofEncoder = Buffer.from(boxIn(sample, 'minf'));
  ofEncoder.write(PLACE, ofEncoder.indexOf('avc1') + 4 + 43, 'latin1');
  const ofPlaces = box(
    'trak',
    Buffer.concat([trackHeader.subarray(0, 20), uint(4, 2), trackHeader.subarray(24)]),
    box(
      'mdia',
      stamped('mdhd'),
      versioned('hdlr', uint(4, 0), text('meta'), Buffer.alloc(12), text(PLACE)),
      box(
        'minf',
        box(
          'stbl',
          versioned('stsd', uint(4, 1), box('gpmd', Buffer.alloc(8))),
          versioned('stsc', uint(4, 1), uint(4, 1), uint(4, 1), uint(4, 1)),
          versioned('stsz', uint(4, 0), uint(4, 1), uint(4, PLACE.length)),
          versioned('stco', uint(4, 1), uint(4, front.length + 8)),
        ),
      ),
    ),
  );
  const ofPictures = box(
    'trak',
    trackHeader,
    boxIn(sample, 'edts'),
    box(
      'mdia',
      stamped('mdhd'),
      versioned('hdlr', uint(4, 0), text('vide'), Buffer.alloc(12), text(PLACE)),
      ofEncoder,
    ),
    place,
    versioned('meta', text(PLACE)),
  );
  return Buffer.concat([
    ...[front, places],
    box('moov', stamped('mvhd'), ofPictures, ofPlaces, place, versioned('meta', text(PLACE))),
    ...[box('uuid', text(PLACE)), box('free', text(PLACE)), box('mdat', text(PLACE))],
    ...[uint(4, 3), text(`abcd${PLACE}`)],
  ]);
}

/** A file of each type, made by hand of the samples, with the place wherever such files may have it. */
export const CAMERA_FILES = { jpg: jpeg(), png: png(), webp: webp(), gif: gif(), avif: avif(), mp4: mp4() };
