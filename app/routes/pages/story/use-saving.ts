import { useFetcher } from '@remix-run/react'
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Draft, DraftOutcome } from '#app/client/kept/drafts.ts'
import { makeFailure, failureIn, patience, type FailedSave } from '#app/client/kept/keep-typed.ts'
import { isSameText } from '#app/client/kept/same-html.ts'
import { useDraft } from '#app/client/kept/use-draft.ts'
import { useRetry } from '#app/client/kept/use-retry.ts'
import { isConflict, refusalIn, type RefusedForm } from '#app/components/form/issues.ts'

type Texts = Record<string, string>
type Outcome = { ok: true; result: unknown } | { ok: false; message: string; issues: RefusedForm['issues'] }

/** Told which parts of the editor have unsaved words, and how to save them. */
export const Unsaved = createContext<(id: string, save: (() => void) | null) => void>(() => {})

/**
 * Whether words are saved by themselves, some time after the last letter. So it is while a page is a draft; of a published
 * page readers see only what was saved on purpose.
 */
export const SavesItself = createContext(false)

/** What is edited, as drafts on this device name it: its kind and id, and its title. */
export const EditedThing = createContext({ thing: '', title: '' })

/** How long after the last letter, in milliseconds. */
const saveAfter = 2000

/** When a save of which nothing was heard counts as failed, in milliseconds: later than any answer that is still waited for. */
const unheardAfter = patience.save + patience.read + 5000

const isSame = (a: Texts, b: Texts) => Object.keys(a).every((name) => a[name] === b[name])
/** As the server has them: it cleans texts. */
const isSameThere = (sent: Texts, there: Texts) =>
  Object.keys(sent).every((name) => isSameText(sent[name] ?? '', there[name] ?? ''))

interface SavingOptions<T> {
  /** Unique in the editor. */
  id: string
  /** What the server has, and its version; 0: it is not there yet, and the first save adds it. */
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
  refused: RefusedForm | undefined
  /** Someone else changed it while it was being written; `theirs` is what the server has now. */
  conflict: { theirs: T; keepMine(): void; takeTheirs(): void } | null
  /** Counts up whenever `draft` was replaced from outside, for editors that keep their own copy. */
  generation: number
  /** Why it is not saved; null where nothing failed. It is tried again in so many seconds, by itself. */
  failure: FailedSave | null
  retryIn: number | null
  /** Whether what is typed could be kept on this device. */
  kept: DraftOutcome
  /** What was typed before and not saved, beside what is saved now. */
  offer: { draft: Draft; mine: T; theirs: T; version: number; use(): void; decline(): void } | null
}

/**
 * A draft of something that others may change too. It is saved against the version the person began from, not the
 * newest one the page happens to have: so whoever was slower is told, and their words stay. What could not be saved is kept on
 * this device and tried again.
 */
export function useSaving<T extends Texts>({
  id,
  saved,
  version,
  intent,
  beside,
}: SavingOptions<T>): Saving<T> {
  const fetcher = useFetcher<Outcome>()
  const tell = useContext(Unsaved)
  const savesItself = useContext(SavesItself)
  const { thing, title } = useContext(EditedThing)
  const [known, setKnown] = useState({ saved, version })
  const [draft, setDraft] = useState(saved)
  const [settled, setSettled] = useState<Outcome | null>(null)
  const [generation, setGeneration] = useState(0)
  const sent = useRef(saved)
  /** What was sent and not answered: it may have arrived all the same. */
  const unanswered = useRef<T[]>([])
  const isNew = known.version === 0
  const isDirty = isNew || !isSame(draft, known.saved)
  /** The outcome there was when something was last sent, and how often that was: the next outcome is its answer. */
  const [asked, setAsked] = useState<{ before: Outcome | undefined; times: number } | null>(null)
  const [unheard, setUnheard] = useState<FailedSave | null>(null)
  const isSaving = fetcher.state !== 'idle' && !unheard
  const read = () => ({ ...draft, ...Object.fromEntries(entriesBeside(beside)) })
  const local = useDraft({
    ...{ thing, field: id, title, version: known.version, isDirty, read },
    unanswered: () => unanswered.current,
  })

  const adopt = (next: T, nextVersion: number) => {
    setKnown({ saved: next, version: nextVersion })
    setDraft(next)
    setGeneration((n) => n + 1)
  }
  const send = (against: number, texts = draft) => {
    sent.current = texts
    unanswered.current = withLast(unanswered.current, texts)
    local.flush()
    setUnheard(null)
    setAsked((last) => ({ before: fetcher.data, times: (last?.times ?? 0) + 1 }))
    const doing = against === 0 ? { intent: 'content.add' } : { intent, version: String(against) }
    void fetcher.submit({ ...beside, ...texts, ...doing, kept: local.name }, { method: 'post' })
  }
  const save = () => {
    if (isDirty && !isSaving) send(known.version)
  }

  const outcome = fetcher.data
  useEffect(() => {
    if (!outcome?.ok) return
    unanswered.current = []
    const next = (outcome.result as { version?: number } | null)?.version
    if (next !== undefined) setKnown({ saved: sent.current, version: next })
  }, [outcome])

  // A router that drops a save tells no one: neither an outcome comes nor a failure. Then it is sent again like what failed.
  useEffect(() => {
    setUnheard(null)
    if (!asked || asked.before !== outcome) return
    const timer = setTimeout(() => setUnheard(makeFailure('slow')), unheardAfter)
    return () => clearTimeout(timer)
  }, [asked, outcome])

  /** Our own words that arrived though their answer did not; of a new part no one else knows the id. */
  const arrived =
    version > known.version
      ? (unanswered.current.find((each) => isSameThere(each, saved)) ?? (isNew ? saved : undefined))
      : undefined
  const now = useRef({ adopt, send, arrived, outcome, drop: local.drop })
  now.current = { adopt, send, arrived, outcome, drop: local.drop }
  useEffect(() => {
    const { adopt, send, arrived, outcome } = now.current
    // What is older than what was saved was read before it, or could not be read again.
    if (version <= known.version || isSaving) return
    if (arrived) {
      unanswered.current = []
      setSettled(outcome ?? null)
      setKnown({ saved: arrived, version })
      // What was sent after it was refused for it
      if (sent.current !== arrived) send(version, sent.current)
    } else if (isSame(saved, known.saved)) setKnown({ saved, version })
    else if (!isDirty) adopt(saved, version)
  }, [version, saved, known, isDirty, isSaving])

  useEffect(() => {
    tell(id, isDirty ? save : null)
    return () => tell(id, null)
  })

  const answered = settled === outcome ? undefined : outcome
  const refusal = refusalIn(answered)
  const isHeld = isConflict(refusal) && !isSaving && !arrived
  // Until what the others wrote can be read there is nothing to choose from.
  const isUnread = isHeld && version <= known.version
  const failure = useMemo(
    () => unheard ?? failureIn(answered) ?? (isUnread ? makeFailure('unavailable') : null),
    [unheard, answered, isUnread],
  )
  const hasConflict = isHeld && !isUnread
  const again = () => {
    if (!isSaving) send(known.version, savesItself || isNew ? draft : sent.current)
  }
  const retry = useRetry(isDirty ? failure : null, isSaving, again)
  const saving = useRef(save)
  saving.current = save
  // What is new is added at once. Not twice: what was sent may have arrived.
  const isAdded = useRef(false)
  useEffect(() => {
    if (!isNew || isAdded.current) return
    isAdded.current = true
    saving.current()
  }, [isNew])
  // What was refused waits for the next letter: sent again as it is, it would be refused again.
  const isWaiting = savesItself && isDirty && !isSaving && !hasConflict && !failure && draft !== sent.current
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => saving.current(), saveAfter)
    return () => clearTimeout(timer)
  }, [isWaiting, draft])
  // What is typed back to what is saved needs no draft.
  const wasDirty = useRef(isDirty)
  useEffect(() => {
    if (wasDirty.current && !isDirty) now.current.drop()
    wasDirty.current = isDirty
  }, [isDirty])
  const { offered } = local
  const mine = useMemo(() => offered && { ...saved, ...pick(offered.texts, saved) }, [offered, saved])
  return {
    draft,
    change: (changes) => {
      setDraft((current) => ({ ...current, ...changes }))
      local.touch()
    },
    isDirty,
    isSaving,
    save,
    refused: isHeld || failure ? undefined : refusal,
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
    failure: isSaving || !isDirty ? null : failure,
    retryIn: retry.seconds,
    kept: local.kept,
    offer:
      offered && mine && !isSame(mine, known.saved)
        ? {
            draft: offered,
            mine,
            theirs: known.saved,
            version: isOwn(offered, known.saved) ? (offered.version ?? known.version) : known.version,
            use() {
              local.accept()
              // What the tab that was closed had sent may still arrive; it is no one else's then.
              const before = (offered.sent ?? []).map((each) => ({ ...saved, ...pick(each, saved) }))
              unanswered.current = withLast([...before, ...unanswered.current], mine)
              setDraft(mine)
              setGeneration((n) => n + 1)
              local.touch()
            },
            decline: local.decline,
          }
        : null,
  }
}

/** What of a draft makes its part anew where it is not on the page, marked so that it is no text of a person. */
const entriesBeside = (beside: Texts = {}) =>
  Object.entries(beside).map(([name, value]) => [`:${name}`, value] as const)

/** Texts with one more at the end: the last five, each once. */
function withLast<T extends Texts>(texts: T[], last: T): T[] {
  return [...texts.filter((each) => !isSame(last, each)), last].slice(-5)
}

/** Whether what is saved is what the writer of a draft had sent, and did not hear of. */
const isOwn = ({ sent = [] }: Draft, saved: Texts): boolean =>
  sent.some((each) => isSameThere(pick(each, saved), saved))

/** Of some texts those that others have as well. */
const pick = (texts: Texts, like: Texts): Texts =>
  Object.fromEntries(
    Object.keys(like).flatMap((name) => {
      const text = texts[name]
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
