import { $, attempt, call, chosen } from './page-parts.js';
import { play } from './watching.js';

const FOLLOW_MS = 1_000;

/** Types by the end of a name: browsers know no type for some. */
const TYPES = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
};

const typeOf = ({ name, type }) => TYPES[name.split('.').pop().toLowerCase()] ?? type;

/**
 * Uploads a file as the video of a lesson, and returns once its processing has begun.
 * @param onProgress is told the share that was sent, from 0 to 1
 * @param signal aborts it
 */
async function uploadVideo(lessonId, file, { onProgress, signal }) {
  const announced = { fileName: file.name, fileSize: file.size, contentType: typeOf(file) };
  const ticket = await call('POST', `/v1/lessons/${lessonId}/request-upload-url`, announced);
  await send(ticket, file, { onProgress, signal });
  await call('POST', `/v1/lessons/${lessonId}/complete-upload`, { fileKey: ticket.fileKey });
}

/** Sends the file to the storage itself; `fetch` would not tell how far it is. */
function send({ uploadUrl, instructions }, file, { onProgress, signal }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(instructions.method, uploadUrl);
    for (const [name, value] of Object.entries(instructions.headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener('load', () =>
      request.status === 200 ? resolve() : reject(new Error(`The storage answered ${request.status}`)),
    );
    request.addEventListener('error', () => reject(new Error('The storage could not be reached')));
    request.addEventListener('abort', () => reject(new Error('The upload was cancelled')));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

let following;
/** Asks for the state of the video until its processing has ended. */
export async function follow() {
  clearTimeout(following);
  const asked = chosen.lesson.id;
  const { status, progress, error } = await call('GET', `/v1/lessons/${asked}/video-status`);
  if (asked !== chosen.lesson.id) return;
  const texts = {
    processing: `Transcoding, ${progress} %`,
    complete: 'Ready to play',
    failed: `Failed: ${error?.message} (${error?.code})`,
    uploading: 'An upload is expected',
  };
  const before = $('state').dataset.status;
  $('state').dataset.status = status ?? '';
  $('state').textContent = texts[status] ?? 'No video yet';
  $('progress').hidden = status !== 'processing';
  $('progress').value = progress ?? 0;
  $('cancel').hidden = status !== 'processing';
  if (status === 'processing') following = setTimeout(attempt(follow), FOLLOW_MS);
  else if (status === 'complete' && (before === 'processing' || before === 'sending')) await play();
}

let sending;
$('upload').addEventListener(
  'click',
  attempt(async () => {
    const [file] = $('file').files;
    if (!file) throw new Error('Choose a file first');
    sending = new AbortController();
    $('upload').disabled = true;
    $('cancel').hidden = false;
    $('progress').hidden = false;
    const onProgress = (share) => {
      $('progress').value = share * 100;
      $('state').dataset.status = 'sending';
      $('state').textContent = `Uploading, ${Math.floor(share * 100)} %`;
    };
    try {
      onProgress(0);
      await uploadVideo(chosen.lesson.id, file, { onProgress, signal: sending.signal });
    } finally {
      sending = undefined;
      $('upload').disabled = false;
      await follow();
    }
  }),
);
$('cancel').addEventListener(
  'click',
  attempt(async () => {
    if (sending) return sending.abort();
    await call('POST', `/v1/lessons/${chosen.lesson.id}/video/cancel`);
    return follow();
  }),
);
$('save-captions').addEventListener(
  'click',
  attempt(async () => {
    const language = $('language').value;
    await call('PUT', `/v1/lessons/${chosen.lesson.id}/captions/${language}`, { text: $('vtt').value });
    $('captioned').textContent = `Saved in ${language}`;
    await play(video.currentTime);
  }),
);
