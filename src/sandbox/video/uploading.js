import { finishedVideo, uploadVideo } from '/sdk.js';
import { $, attempt, chosen } from './page-parts.js';
import { play } from './watching.js';

/** MIME types by file extension, because browsers know no type for some. */
const TYPES = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
};

const typed = (file) =>
  new File([file], file.name, { type: TYPES[file.name.split('.').pop().toLowerCase()] ?? file.type });

const TEXTS = {
  uploading: 'An upload is expected',
  complete: 'Ready to play',
};

/** The upload or processing that is under way, and how to cancel it. */
let current;

function showState(status, text) {
  $('state').dataset.status = status ?? '';
  $('state').textContent = text;
  for (const id of ['progress', 'cancel']) $(id).hidden = status !== 'sending' && status !== 'processing';
}

function showProgress({ phase, ratio }) {
  const percent = Math.floor(ratio * 100);
  showState(phase, phase === 'sending' ? `Uploading, ${percent} %` : `Transcoding, ${percent} %`);
  $('progress').value = percent;
}

/** Shows the progress of a video until it can be played, and then plays it. */
async function watchOver(work) {
  current?.abort();
  const { lesson } = chosen;
  const mine = new AbortController();
  current = mine;
  try {
    await work({ onProgress: showProgress, signal: mine.signal });
    if (mine.signal.aborted) return;
    showState('complete', TEXTS.complete);
    await play();
  } catch (error) {
    // Another lesson was selected, or the processing was cancelled: show the lesson's own state.
    if (mine.signal.aborted && chosen.lesson !== lesson) return;
    if (!mine.signal.aborted) showState('failed', `Failed: ${error.message} (${error.code})`);
    else await showPresent();
  } finally {
    if (current === mine) current = undefined;
  }
}

/** Shows and returns the current state of the lesson's video. */
async function showPresent() {
  const { status, error } = await chosen.api.lessons.getVideo(chosen.lesson.id);
  const failed = status === 'failed' && `Failed: ${error?.message} (${error?.code})`;
  showState(status, failed || (TEXTS[status] ?? 'No video yet'));
  return status;
}

/** Shows the state of the video, and polls it while it is being processed. */
export async function follow() {
  current?.abort();
  const { api, lesson } = chosen;
  if ((await showPresent()) === 'processing')
    void watchOver((options) => finishedVideo(api, lesson.id, options));
}

$('upload').addEventListener(
  'click',
  attempt(async () => {
    const [file] = $('file').files;
    if (!file) throw new Error('Choose a file first');
    $('upload').disabled = true;
    showProgress({ phase: 'sending', ratio: 0 });
    const { api, lesson } = chosen;
    await watchOver((options) => uploadVideo(api, lesson.id, typed(file), options)).finally(() => {
      $('upload').disabled = false;
    });
  }),
);
$('cancel').addEventListener(
  'click',
  attempt(async () => {
    const isProcessed = $('state').dataset.status === 'processing';
    if (isProcessed) await chosen.api.lessons.cancelVideo(chosen.lesson.id);
    current?.abort();
  }),
);
$('save-captions').addEventListener(
  'click',
  attempt(async () => {
    const language = $('language').value;
    await chosen.api.lessons.putCaptions(chosen.lesson.id, language, { text: $('vtt').value });
    $('captioned').textContent = `Saved in ${language}`;
    await play($('video').currentTime);
  }),
);
