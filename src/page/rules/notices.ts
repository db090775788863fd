/** Notices: what was done, each with the call that undoes it. A reducer, so that it can be tested without a page. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: "done" | "failed";
  /** The call that `undo` takes back; null if there is none. */
  readonly call: string | null;
  /** The project in which the call was made. */
  readonly project: string;
}

export interface Notices {
  readonly shown: readonly Notice[];
  /** Calls that can be undone, newest last. */
  readonly undoable: readonly Notice[];
  readonly lastId: number;
}

export type NoticeEvent =
  | { kind: "said"; notice: Omit<Notice, "id"> }
  | { kind: "closed"; id: number }
  | { kind: "undone"; call: string };

const MOST_SHOWN = 3;
const MOST_UNDOABLE = 50;

export const NO_NOTICES: Notices = { shown: [], undoable: [], lastId: 0 };

/** What can be undone, as text that outlives a reload; what was said is not kept. */
export const keptNotices = ({ undoable }: Notices): string =>
  JSON.stringify(undoable.map(({ call, project }) => ({ call, project })));

export function noticesFrom(kept: string | null): Notices {
  const undoable = (JSON.parse(kept ?? "[]") as Pick<Notice, "call" | "project">[]).map(({ call, project }, index) => ({
    call,
    project,
    text: "",
    kind: "done" as const,
    id: index + 1,
  }));
  return { shown: [], undoable, lastId: undoable.length };
}

export function afterEvent(notices: Notices, event: NoticeEvent): Notices {
  switch (event.kind) {
    case "said": {
      const notice = { ...event.notice, id: notices.lastId + 1 };
      return {
        shown: [...notices.shown, notice].slice(-MOST_SHOWN),
        undoable: notice.call === null ? notices.undoable : [...notices.undoable, notice].slice(-MOST_UNDOABLE),
        lastId: notice.id,
      };
    }
    case "closed":
      return { ...notices, shown: notices.shown.filter(({ id }) => id !== event.id) };
    case "undone": {
      const others = (list: readonly Notice[]) => list.filter(({ call }) => call !== event.call);
      return { ...notices, shown: others(notices.shown), undoable: others(notices.undoable) };
    }
  }
}

export const lastUndoable = ({ undoable }: Notices, project: string): Notice | null =>
  undoable.findLast((notice) => notice.project === project) ?? null;
