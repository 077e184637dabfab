import { useFetcher } from '@remix-run/react'
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Draft, DraftOutcome } from '#app/client/kept/drafts.ts'
import { makeFailure, failureIn, patience, type FailedSave } from '#app/client/kept/keep-typed.ts'
import { isSameText } from '#app/client/kept/same-html.ts'
import { useDraft, type DraftHandle } from '#app/client/kept/use-draft.ts'
import { useRetry } from '#app/client/kept/use-retry.ts'
import { isConflict, readFormErrors, type FormErrors } from '#app/components/form/issues.ts'

type Texts = Record<string, string>
type Outcome = { ok: true; result: unknown } | { ok: false; message: string; issues: FormErrors['issues'] }

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
  errors: FormErrors | undefined
  /** Someone else changed it while it was being written; `theirs` is what the server has now. */
  conflict: { theirs: T; keepMine(): void; takeTheirs(): void } | null
  /** Counts up whenever `draft` was replaced from outside, for editors that keep their own copy. */
  generation: number
  /** Why it is not saved; null where nothing failed. It is tried again in so many seconds, by itself. */
  failure: FailedSave | null
  retryIn: number | null
  /** Whether what is typed could be kept on this device. */
  draftOutcome: DraftOutcome
  /** What was typed before and not saved, beside what is saved now. */
  offer: { draft: Draft; mine: T; theirs: T; version: number; use(): void; decline(): void } | null
}

/** What is edited, beside what the server has of it: its words and their version. */
function useEdited<T extends Texts>(saved: T, version: number) {
  const [known, setKnown] = useState({ saved, version })
  const [draft, setDraft] = useState(saved)
  const [generation, setGeneration] = useState(0)
  /** Puts other words instead of those that were typed; editors that keep their own copy take them over. */
  const replace = (next: T) => {
    setDraft(next)
    setGeneration((n) => n + 1)
  }
  const adopt = (next: T, nextVersion: number) => {
    setKnown({ saved: next, version: nextVersion })
    replace(next)
  }
  const isNew = known.version === 0
  const isDirty = isNew || !isSame(draft, known.saved)
  return { known, setKnown, draft, setDraft, generation, replace, adopt, isNew, isDirty }
}

/** Sends words, and remembers them until an answer is there: they may have arrived all the same. */
function useSending<T extends Texts>(saved: T) {
  const fetcher = useFetcher<Outcome>()
  const outcome = fetcher.data
  const sentRef = useRef(saved)
  /** What was sent and not answered. */
  const unansweredRef = useRef<T[]>([])
  /** The outcome there was when something was last sent, and how often that was: the next outcome is its answer. */
  const [request, setRequest] = useState<{ before: Outcome | undefined; times: number } | null>(null)
  const [unheard, setUnheard] = useState<FailedSave | null>(null)
  // A router that drops a save tells no one: neither an outcome comes nor a failure. Then it is sent again like what failed.
  useEffect(() => {
    setUnheard(null)
    if (!request || request.before !== outcome) return
    const timer = setTimeout(() => setUnheard(makeFailure('slow')), unheardAfter)
    return () => clearTimeout(timer)
  }, [request, outcome])
  const remember = (texts: T) => {
    sentRef.current = texts
    unansweredRef.current = withLast(unansweredRef.current, texts)
  }
  const submit = (form: Texts) => {
    setUnheard(null)
    setRequest((last) => ({ before: outcome, times: (last?.times ?? 0) + 1 }))
    void fetcher.submit(form, { method: 'post' })
  }
  const isSaving = fetcher.state !== 'idle' && !unheard
  return { outcome, sentRef, unansweredRef, unheard, isSaving, remember, submit }
}

interface ServerSide<T extends Texts> {
  saved: T
  version: number
  edited: ReturnType<typeof useEdited<T>>
  sending: ReturnType<typeof useSending<T>>
  send(against: number, texts?: T): void
}

/**
 * What the server has and has answered, held against what is edited: takes over what was saved, and gives what was refused,
 * why nothing was saved, and what someone else has written meanwhile.
 */
function useServerSide<T extends Texts>({ saved, version, edited, sending, send }: ServerSide<T>) {
  const { known, setKnown, adopt, isNew, isDirty } = edited
  const { outcome, sentRef, unansweredRef, unheard, isSaving } = sending
  const [settled, setSettled] = useState<Outcome | null>(null)
  useEffect(() => {
    if (!outcome?.ok) return
    unansweredRef.current = []
    const next = (outcome.result as { version?: number } | null)?.version
    if (next !== undefined) setKnown({ saved: sentRef.current, version: next })
  }, [outcome, sentRef, setKnown, unansweredRef])

  /** Our own words that arrived though their answer did not; of a new part no one else knows the id. */
  const arrived =
    version > known.version
      ? (unansweredRef.current.find((each) => isSameThere(each, saved)) ?? (isNew ? saved : undefined))
      : undefined
  const now = useRef({ adopt, send, arrived, outcome })
  now.current = { adopt, send, arrived, outcome }
  useEffect(() => {
    const { adopt, send, arrived, outcome } = now.current
    // What is older than what was saved was read before it, or could not be read again.
    if (version <= known.version || isSaving) return
    if (arrived) {
      unansweredRef.current = []
      setSettled(outcome ?? null)
      setKnown({ saved: arrived, version })
      // What was sent after it was refused for it
      if (sentRef.current !== arrived) send(version, sentRef.current)
    } else if (isSame(saved, known.saved)) setKnown({ saved, version })
    else if (!isDirty) adopt(saved, version)
  }, [version, saved, known, isDirty, isSaving, sentRef, setKnown, unansweredRef])

  const answered = settled === outcome ? undefined : outcome
  const refusal = readFormErrors(answered)
  const isHeld = isConflict(refusal) && !isSaving && !arrived
  // Until what the others wrote can be read there is nothing to choose from.
  const isUnread = isHeld && version <= known.version
  const failure = useMemo(
    () => unheard ?? failureIn(answered) ?? (isUnread ? makeFailure('unavailable') : null),
    [unheard, answered, isUnread],
  )
  const takeTheirs = () => {
    setSettled(outcome ?? null)
    adopt(saved, version)
  }
  const conflict: Saving<T>['conflict'] =
    isHeld && !isUnread ? { theirs: saved, keepMine: () => send(version), takeTheirs } : null
  return { errors: isHeld || failure ? undefined : refusal, failure, conflict }
}

/** Saves what is new at once, and with `isWaiting` what is typed some time after the last letter. */
function useSavingByItself(isNew: boolean, isWaiting: boolean, draft: Texts, save: () => void) {
  const saving = useRef(save)
  saving.current = save
  // What is new is added at once. Not twice: what was sent may have arrived.
  const isAdded = useRef(false)
  useEffect(() => {
    if (!isNew || isAdded.current) return
    isAdded.current = true
    saving.current()
  }, [isNew])
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => saving.current(), saveAfter)
    return () => clearTimeout(timer)
  }, [isWaiting, draft])
}

/** What was typed before and not saved, as the editor offers it; `take` puts it there. */
function useOffer<T extends Texts>(
  local: DraftHandle,
  known: { saved: T; version: number },
  saved: T,
  take: (mine: T, before: T[]) => void,
): Saving<T>['offer'] {
  const { offeredDraft } = local
  const mine = useMemo(
    () => offeredDraft && { ...saved, ...pick(offeredDraft.texts, saved) },
    [offeredDraft, saved],
  )
  if (!offeredDraft || !mine || isSame(mine, known.saved)) return null
  return {
    draft: offeredDraft,
    mine,
    theirs: known.saved,
    version: isOwn(offeredDraft, known.saved) ? (offeredDraft.version ?? known.version) : known.version,
    use() {
      local.accept()
      take(
        mine,
        (offeredDraft.sent ?? []).map((each) => ({ ...saved, ...pick(each, saved) })),
      )
      local.touch()
    },
    decline: local.decline,
  }
}

/**
 * A draft of something that others may change too. It is saved against the version the person began from, not the
 * newest one the page happens to have: so whoever was slower is told, and their words stay. What could not be saved is kept on
 * this device and tried again.
 */
export function useSaving<T extends Texts>(options: SavingOptions<T>): Saving<T> {
  const { id, saved, version, intent, beside } = options
  const report = useContext(Unsaved)
  const savesItself = useContext(SavesItself)
  const { thing, title } = useContext(EditedThing)
  const edited = useEdited(saved, version)
  const { known, draft, isNew, isDirty } = edited
  const sending = useSending(saved)
  const { sentRef, unansweredRef, isSaving } = sending
  const read = () => ({ ...draft, ...Object.fromEntries(entriesBeside(beside)) })
  const local = useDraft({
    ...{ thing, field: id, title, version: known.version, isDirty, read },
    unanswered: () => unansweredRef.current,
  })

  const send = (against: number, texts = draft) => {
    sending.remember(texts)
    local.flush()
    const doing = against === 0 ? { intent: 'content.add' } : { intent, version: String(against) }
    sending.submit({ ...beside, ...texts, ...doing, kept: local.name })
  }
  const { errors, failure, conflict } = useServerSide({ saved, version, edited, sending, send })
  // Whoever saves again after seeing what others wrote puts their own words in its place.
  const save = () => {
    if (isDirty && !isSaving) send(conflict ? version : known.version)
  }

  useEffect(() => {
    report(id, isDirty ? save : null)
    return () => report(id, null)
  })
  const again = () => {
    if (!isSaving) send(known.version, savesItself || isNew ? draft : sentRef.current)
  }
  const retry = useRetry(isDirty ? failure : null, isSaving, again)
  // What was refused waits for the next letter: sent again as it is, it would be refused again.
  const isWaiting = savesItself && isDirty && !isSaving && !conflict && !failure && draft !== sentRef.current
  useSavingByItself(isNew, isWaiting, draft, save)
  // What is typed back to what is saved needs no draft.
  const wasDirty = useRef(isDirty)
  const drop = useRef(local.drop)
  drop.current = local.drop
  useEffect(() => {
    if (wasDirty.current && !isDirty) drop.current()
    wasDirty.current = isDirty
  }, [isDirty])
  const offer = useOffer(local, known, saved, (mine, before) => {
    // What the tab that was closed had sent may still arrive; it is no one else's then.
    unansweredRef.current = withLast([...before, ...unansweredRef.current], mine)
    edited.replace(mine)
  })
  return {
    ...{ draft, isDirty, isSaving, save, errors, conflict, offer },
    change: (changes) => {
      edited.setDraft((current) => ({ ...current, ...changes }))
      local.touch()
    },
    generation: edited.generation,
    failure: isSaving || !isDirty ? null : failure,
    retryIn: retry.seconds,
    draftOutcome: local.outcome,
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
