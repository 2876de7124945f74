import { $, attempt, call, chosen, fill } from './page-parts.js';
import { player } from './player.js';

const SAVE_MS = 5_000;

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

const video = $('video');
const playback = player(video, {
  levels: (heights) =>
    fill(
      $('quality'),
      [[-1, 'Automatic']],
      heights.map((height, place) => [place, `${height}p`]),
    ),
  level: (height) => {
    $('playing').dataset.height = height;
    $('playing').textContent = `Playing ${height}p`;
  },
  tracks: (names) =>
    fill(
      $('captions'),
      [[-1, 'Off']],
      names.map((name, place) => [place, name]),
    ),
  expired: attempt(async (seconds) => play(seconds)),
  fault: (details) => {
    $('fault').textContent = `The player says ${details}`;
  },
});
$('quality').addEventListener('change', () => playback.setLevel(Number($('quality').value)));
$('captions').addEventListener('change', () => playback.setTrack(Number($('captions').value)));

/** The lesson that plays: what is said of it stays its own when another is chosen. */
let played;
let savedSeconds = -1;

/** Plays the lesson's video where the member left it, or from a second on. */
export async function play(fromSeconds) {
  const { course, lesson } = chosen;
  const { videoUrl, thumbnailUrl } = await call('GET', `/v1/lessons/${lesson.id}`);
  // The member may have pressed play while the answer was on its way.
  const goesOn = fromSeconds !== undefined && !video.paused;
  stop();
  fill($('quality'), [[-1, 'Automatic']], []);
  fill($('captions'), [[-1, 'Off']], []);
  $('playing').textContent = videoUrl ? '' : 'There is nothing to play yet, or you are not enrolled.';
  if (!videoUrl) return;
  video.poster = thumbnailUrl ?? '';
  const at = fromSeconds ?? (course.enrolled ? await positionIn(course, lesson) : 0);
  played = course.enrolled ? lesson.id : undefined;
  if (at > 0) $('playing').textContent = `Goes on at ${clock(at)}`;
  // Captions that were just saved are missing from a playlist that the browser keeps for half a minute.
  playback.load(`${videoUrl}?at=${Date.now()}`, at);
  if (goesOn) await video.play();
}

async function positionIn(course, lesson) {
  const { lessons } = await call('GET', `/v1/courses/${course.id}/progress`);
  const known = lessons.find(({ lessonId }) => lessonId === lesson.id);
  return known && !known.completed ? known.positionSeconds : 0;
}

/** Keeps where the member is, and that the end was reached; only who is enrolled has progress. */
async function save(completed = false) {
  const positionSeconds = Math.floor(video.currentTime);
  if (!played || (positionSeconds === savedSeconds && !completed)) return;
  savedSeconds = positionSeconds;
  await call('PUT', `/v1/lessons/${played}/progress`, { positionSeconds, completed });
  $('playing').dataset.saved = positionSeconds;
}
setInterval(() => {
  if (!video.paused) attempt(() => save())();
}, SAVE_MS);
video.addEventListener(
  'pause',
  attempt(() => save()),
);
video.addEventListener(
  'ended',
  attempt(() => save(true)),
);

/** Ends what plays, before something else does. */
export function stop() {
  played = undefined;
  savedSeconds = -1;
  playback.stop();
}
