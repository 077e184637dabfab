import { useFetcher } from '@remix-run/react'
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Draft, DraftOutcome } from '#app/client/drafts/drafts.ts'
import {
  makeFailure,
  failureIn,
  requestTimeouts,
  type FailedSave,
} from '#app/client/drafts/client-handlers.ts'
import { isSameText } from '#app/client/drafts/same-html.ts'
import { useDraft, type DraftHandle } from '#app/client/drafts/use-draft.ts'
import { useRetry } from '#app/client/drafts/use-retry.ts'
import { isConflict, readFormErrors, type FormErrors } from '#app/components/form/issues.ts'

type Texts = Record<string, string>
type Outcome = { ok: true; result: unknown } | { ok: false; message: string; issues: FormErrors['issues'] }

/** Called with the unsaved contents of the editor, and how to save them. */
export const Unsaved = createContext<(id: string, save: (() => void) | null) => void>(() => {})

/** Whether changes are saved automatically after a pause. True for drafts; a published page changes only on purpose. */
export const SavesItself = createContext(false)

/** The edited page, for drafts on this device: kind and id, and title. */
export const EditedThing = createContext({ thing: '', title: '' })

/** Debounce of automatic saving, in milliseconds. */
const saveAfter = 2000

/** When a save without a response counts as failed, in milliseconds: later than any request timeout. */
const unheardAfter = requestTimeouts.save + requestTimeouts.read + 5000

const isSame = (a: Texts, b: Texts) => Object.keys(a).every((name) => a[name] === b[name])
/** As the server has them, sanitised. */
const isSameThere = (submission: Texts, there: Texts) =>
  Object.keys(submission).every((name) => isSameText(submission[name] ?? '', there[name] ?? ''))

interface SavingOptions<T> {
  /** Unique in the editor. */
  id: string
  /** The saved state, and its version; 0: not saved yet, the first save adds it. */
  saved: T
  version: number
  intent: string
  /** Further fields of a save. */
  beside?: Texts
}

export interface SaveHandle<T> {
  draft: T
  change(changes: Partial<T>): void
  isDirty: boolean
  isSaving: boolean
  save(): void
  errors: FormErrors | undefined
  /** A version conflict; `theirs` is the saved state. */
  conflict: { theirs: T; saveMine(): void; acceptTheirs(): void } | null
  /** Incremented whenever `draft` was replaced from outside, for editors with their own copy. */
  generation: number
  /** Why saving failed; null without a failure. Retried automatically after so many seconds. */
  failure: FailedSave | null
  retryIn: number | null
  /** Whether the input could be stored on this device. */
  draftOutcome: DraftOutcome
  /** An earlier draft, beside the saved state. */
  offer: { draft: Draft; mine: T; theirs: T; version: number; use(): void; decline(): void } | null
}

/** The edited state, and the saved one with its version. */
function useEdited<T extends Texts>(saved: T, version: number) {
  const [baseline, setBaseline] = useState({ saved, version })
  const [draft, setDraft] = useState(saved)
  const [generation, setGeneration] = useState(0)
  /** Replaces the edited state; editors with their own copy are updated. */
  const replace = (next: T) => {
    setDraft(next)
    setGeneration((n) => n + 1)
  }
  const adopt = (next: T, nextVersion: number) => {
    setBaseline({ saved: next, version: nextVersion })
    replace(next)
  }
  const isNew = baseline.version === 0
  const isDirty = isNew || !isSame(draft, baseline.saved)
  return { baseline, setBaseline, draft, setDraft, generation, replace, adopt, isNew, isDirty }
}

/** Submits a state, and remembers it until there is a response, as it may arrive even if the response does not. */
function useSending<T extends Texts>(saved: T) {
  const fetcher = useFetcher<Outcome>()
  const outcome = fetcher.data
  const sentRef = useRef(saved)
  /** Submissions without a response. */
  const unansweredRef = useRef<T[]>([])
  /** The action result at the time of the last submission, and their number: the next result is its response. */
  const [request, setRequest] = useState<{ before: Outcome | undefined; times: number } | null>(null)
  const [unheard, setUnheard] = useState<FailedSave | null>(null)
  // A router that drops a submission gives neither a result nor an error: it is then retried like a failed one.
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

/** Reconciles saved and edited state: adopts what was saved, and reports rejections, failures and conflicts. */
function useServerSide<T extends Texts>({ saved, version, edited, sending, send }: ServerSide<T>) {
  const { baseline, setBaseline, adopt, isNew, isDirty } = edited
  const { outcome, sentRef, unansweredRef, unheard, isSaving } = sending
  const [settled, setSettled] = useState<Outcome | null>(null)
  useEffect(() => {
    if (!outcome?.ok) return
    unansweredRef.current = []
    const next = (outcome.result as { version?: number } | null)?.version
    if (next !== undefined) setBaseline({ saved: sentRef.current, version: next })
  }, [outcome, sentRef, setBaseline, unansweredRef])

  /** Our own submission whose response was lost; the id of a new content is known to no one else. */
  const arrived =
    version > baseline.version
      ? (unansweredRef.current.find((each) => isSameThere(each, saved)) ?? (isNew ? saved : undefined))
      : undefined
  const now = useRef({ adopt, send, arrived, outcome })
  now.current = { adopt, send, arrived, outcome }
  useEffect(() => {
    const { adopt, send, arrived, outcome } = now.current
    // Older data were loaded before the save, or could not be reloaded.
    if (version <= baseline.version || isSaving) return
    if (arrived) {
      unansweredRef.current = []
      setSettled(outcome ?? null)
      setBaseline({ saved: arrived, version })
      // What was submitted after it was rejected for it.
      if (sentRef.current !== arrived) send(version, sentRef.current)
    } else if (isSame(saved, baseline.saved)) setBaseline({ saved, version })
    else if (!isDirty) adopt(saved, version)
  }, [version, saved, baseline, isDirty, isSaving, sentRef, setBaseline, unansweredRef])

  const answered = settled === outcome ? undefined : outcome
  const refusal = readFormErrors(answered)
  const isHeld = isConflict(refusal) && !isSaving && !arrived
  // Until the other version is loaded there is nothing to choose from.
  const isUnread = isHeld && version <= baseline.version
  const failure = useMemo(
    () => unheard ?? failureIn(answered) ?? (isUnread ? makeFailure('unavailable') : null),
    [unheard, answered, isUnread],
  )
  const acceptTheirs = () => {
    setSettled(outcome ?? null)
    adopt(saved, version)
  }
  const conflict: SaveHandle<T>['conflict'] =
    isHeld && !isUnread ? { theirs: saved, saveMine: () => send(version), acceptTheirs } : null
  return { errors: isHeld || failure ? undefined : refusal, failure, conflict }
}

/** Saves new contents at once, and with `isWaiting` changes after a pause. */
function useSavingByItself(isNew: boolean, isWaiting: boolean, draft: Texts, save: () => void) {
  const saving = useRef(save)
  saving.current = save
  // New contents are saved at once. Not twice, as an earlier submission may have arrived.
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

/** An earlier draft, as offered by the editor; `restore` restores it. */
function useOffer<T extends Texts>(
  local: DraftHandle,
  baseline: { saved: T; version: number },
  saved: T,
  restore: (offeredTexts: T, before: T[]) => void,
): SaveHandle<T>['offer'] {
  const { offeredDraft } = local
  const offeredTexts = useMemo(
    () => offeredDraft && { ...saved, ...pick(offeredDraft.texts, saved) },
    [offeredDraft, saved],
  )
  if (!offeredDraft || !offeredTexts || isSame(offeredTexts, baseline.saved)) return null
  return {
    draft: offeredDraft,
    mine: offeredTexts,
    theirs: baseline.saved,
    version: isOwn(offeredDraft, baseline.saved)
      ? (offeredDraft.version ?? baseline.version)
      : baseline.version,
    use() {
      local.accept()
      restore(
        offeredTexts,
        (offeredDraft.sent ?? []).map((each) => ({ ...saved, ...pick(each, saved) })),
      )
      local.touch()
    },
    decline: local.decline,
  }
}

/**
 * The editing state of something that others may change too. It is saved against the version the person started from, not the newest
 * loaded one: so conflicts are detected, and their input stays. Failed saves are stored on this device and retried.
 */
export function useSaving<T extends Texts>(options: SavingOptions<T>): SaveHandle<T> {
  const { id, saved, version, intent, beside } = options
  const report = useContext(Unsaved)
  const savesItself = useContext(SavesItself)
  const { thing, title } = useContext(EditedThing)
  const edited = useEdited(saved, version)
  const { baseline, draft, isNew, isDirty } = edited
  const sending = useSending(saved)
  const { sentRef, unansweredRef, isSaving } = sending
  const read = () => ({ ...draft, ...Object.fromEntries(entriesBeside(beside)) })
  const local = useDraft({
    ...{ thing, field: id, title, version: baseline.version, isDirty, read },
    unanswered: () => unansweredRef.current,
  })

  const send = (against: number, texts = draft) => {
    sending.remember(texts)
    local.flush()
    const doing = against === 0 ? { intent: 'content.add' } : { intent, version: String(against) }
    sending.submit({ ...beside, ...texts, ...doing, kept: local.name })
  }
  const { errors, failure, conflict } = useServerSide({ saved, version, edited, sending, send })
  // Saving again after seeing the other version overwrites it.
  const save = () => {
    if (isDirty && !isSaving) send(conflict ? version : baseline.version)
  }

  useEffect(() => {
    report(id, isDirty ? save : null)
    return () => report(id, null)
  })
  const sendAgain = () => {
    if (!isSaving) send(baseline.version, savesItself || isNew ? draft : sentRef.current)
  }
  const retry = useRetry(isDirty ? failure : null, isSaving, sendAgain)
  // A rejected state waits for the next change, as it would be rejected again.
  const isWaiting = savesItself && isDirty && !isSaving && !conflict && !failure && draft !== sentRef.current
  useSavingByItself(isNew, isWaiting, draft, save)
  // A state equal to the saved one needs no draft.
  const wasDirty = useRef(isDirty)
  const drop = useRef(local.drop)
  drop.current = local.drop
  useEffect(() => {
    if (wasDirty.current && !isDirty) drop.current()
    wasDirty.current = isDirty
  }, [isDirty])
  const offer = useOffer(local, baseline, saved, (offeredTexts, before) => {
    // Submissions of a closed tab may still arrive, and are then no conflict.
    unansweredRef.current = withLast([...before, ...unansweredRef.current], offeredTexts)
    edited.replace(offeredTexts)
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

/** Marks the fields of a draft that create its content if it is not on the page. */
const entriesBeside = (beside: Texts = {}) =>
  Object.entries(beside).map(([name, value]) => [`:${name}`, value] as const)

/** Appends a state: the last five, without duplicates. */
function withLast<T extends Texts>(texts: T[], last: T): T[] {
  return [...texts.filter((each) => !isSame(last, each)), last].slice(-5)
}

/** Whether the saved state is one that the draft's author had submitted without a response. */
const isOwn = ({ sent: submissions = [] }: Draft, saved: Texts): boolean =>
  submissions.some((each) => isSameThere(pick(each, saved), saved))

/** The members of some texts that others have as well. */
const pick = (texts: Texts, like: Texts): Texts =>
  Object.fromEntries(
    Object.keys(like).flatMap((name) => {
      const text = texts[name]
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
