import type { ReportedItem } from '@platform-api/sdk';
import { Time } from '../parts/values.tsx';

/** What something said before it was edited: its beginnings in a list, all of it in the context of a report. */
export const EarlierTexts = ({ of: texts }: { of: ReportedItem['earlierTexts'] }) =>
  texts.length > 0 && (
    <ul class="timeline" aria-label="What it said before">
      {texts.map(({ text, until }) => (
        <li key={until} class="info">
          <span class="long">“{text}”</span>
          <small>
            Changed <Time at={until} />
          </small>
        </li>
      ))}
    </ul>
  );
