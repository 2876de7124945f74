import { useId, useState } from 'preact/hooks';
import { type Act, Confirm } from './act.tsx';
import { Icon } from './icon.tsx';

/** A menu of the less common actions of a page; dangerous ones are last. */
export function Menu({ acts }: { acts: Act[] }) {
  const id = useId();
  const [chosen, setChosen] = useState<Act>();
  const ordered = acts.toSorted(
    (one, other) => Number(one.isDangerous ?? false) - Number(other.isDangerous ?? false),
  );
  return (
    <span class="menu-of">
      <button type="button" popovertarget={id} aria-label="More acts" class="square">
        <Icon name="more" />
      </button>
      <span id={id} popover="auto" class="popup">
        {ordered.map((act) => (
          <button
            key={act.name}
            type="button"
            class={act.isDangerous ? 'danger-text' : undefined}
            onClick={() => {
              document.getElementById(id)?.hidePopover();
              setChosen(act);
            }}
          >
            {act.name}
          </button>
        ))}
      </span>
      {chosen && <Confirm {...chosen} onClose={() => setChosen(undefined)} />}
    </span>
  );
}
