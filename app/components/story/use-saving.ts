import { useFetcher } from '@remix-run/react'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { isConflict, refusalIn, type Refused } from '../form/issues.ts'

type Texts = Record<string, string>
type Outcome = { ok: true; result: unknown } | { ok: false; message: string; issues: Refused['issues'] }

/** Told which parts of the editor have unsaved words, and how to save them. */
export const Unsaved = createContext<(id: string, save: (() => void) | null) => void>(() => {})

/**
 * Whether words are saved by themselves, some time after the last letter. So it is while a page is a draft; of a published
 * page readers see only what was saved on purpose.
 */
export const SavesItself = createContext(false)

/** How long after the last letter, in milliseconds. */
const saveAfter = 2000

const isSame = (a: Texts, b: Texts) => Object.keys(a).every((name) => a[name] === b[name])

interface Given<T> {
  /** Unique in the editor. */
  id: string
  /** What the server has, and its version. */
  saved: T
  version: number
  intent: string
  /** What is sent beside the draft. */
  beside?: Texts
}

export interface Saving<T> {
  draft: T
  change(changes: Partial<T>): void
  isDirty: boolean
  isSaving: boolean
  save(): void
  refused: Refused | undefined
  /** Someone else changed it while it was being written; `theirs` is what the server has now. */
  conflict: { theirs: T; keepMine(): void; takeTheirs(): void } | null
  /** Counts up whenever `draft` was replaced from outside, for editors that keep their own copy. */
  generation: number
}

/**
 * A draft of something that others may change too. It is saved against the version the person began from, not the
 * newest one the page happens to have: so whoever was slower is told, and their words stay.
 */
export function useSaving<T extends Texts>({ id, saved, version, intent, beside }: Given<T>): Saving<T> {
  const fetcher = useFetcher<Outcome>()
  const tell = useContext(Unsaved)
  const savesItself = useContext(SavesItself)
  const [known, setKnown] = useState({ saved, version })
  const [draft, setDraft] = useState(saved)
  const [settled, setSettled] = useState<Outcome | null>(null)
  const [generation, setGeneration] = useState(0)
  const sent = useRef(saved)
  const isDirty = !isSame(draft, known.saved)
  const isSaving = fetcher.state !== 'idle'

  const adopt = (next: T, nextVersion: number) => {
    setKnown({ saved: next, version: nextVersion })
    setDraft(next)
    setGeneration((n) => n + 1)
  }
  const send = (against: number) => {
    sent.current = draft
    void fetcher.submit({ ...beside, ...draft, intent, version: String(against) }, { method: 'post' })
  }
  const save = () => {
    if (isDirty && !isSaving) send(known.version)
  }

  const outcome = fetcher.data
  useEffect(() => {
    if (!outcome?.ok) return
    const next = (outcome.result as { version?: number } | null)?.version
    if (next !== undefined) setKnown({ saved: sent.current, version: next })
  }, [outcome])

  useEffect(() => {
    if (version === known.version || isSaving) return
    if (isSame(saved, known.saved)) setKnown({ saved, version })
    else if (!isDirty) adopt(saved, version)
  }, [version, saved, known, isDirty, isSaving])

  useEffect(() => {
    tell(id, isDirty ? save : null)
    return () => tell(id, null)
  })

  const refused = settled === outcome ? undefined : refusalIn(outcome)
  const hasConflict = isConflict(refused) && !isSaving
  const saving = useRef(save)
  saving.current = save
  // What was refused waits for the next letter: sent again as it is, it would be refused again.
  const isWaiting = savesItself && isDirty && !isSaving && !hasConflict && draft !== sent.current
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => saving.current(), saveAfter)
    return () => clearTimeout(timer)
  }, [isWaiting, draft])
  return {
    draft,
    change: (changes) => setDraft((current) => ({ ...current, ...changes })),
    isDirty,
    isSaving,
    save,
    refused: hasConflict ? undefined : refused,
    conflict: hasConflict
      ? {
          theirs: saved,
          keepMine: () => send(version),
          takeTheirs: () => {
            setSettled(outcome ?? null)
            adopt(saved, version)
          },
        }
      : null,
    generation,
  }
}
