import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react'
import {
  draftName,
  drafts,
  isSameTexts,
  type Draft,
  type DraftKey,
  type DraftOutcome,
  type Texts,
} from './drafts.ts'
import { setUnsaved } from './unsaved-parts.ts'

/** The author of drafts and the active place. Null: no one is signed in, so none are stored. */
export const Writer = createContext<{ userId: string; placeId: string } | null>(null)

let here: string | null = null

/** The id of the signed-in person, for code outside components; null for no one. */
export const writerHere = (): string | null => here

export function setWriterHere(userId: string | null): void {
  here = userId
}

/** Delay of writing a draft after a change, in milliseconds; it is written earlier when the tab is hidden or closed. */
const soon = 400

interface DraftOptions {
  /** Kind and id of what is edited, and the part of it ('' for all). */
  thing: string
  field: string
  /** The label in the list of drafts. */
  title: string
  version: number | null
  /** Whether there is unsaved input. */
  isDirty: boolean
  /** The current values, as far as they may be stored. */
  read(): Texts
  /** Submissions without a response so far. */
  unanswered?(): Texts[]
}

export interface DraftHandle {
  /** The name of the draft, which a form submits as `kept`; '' if none is stored. */
  name: string
  /** An earlier draft that differs from what is shown; null without one. */
  offeredDraft: Draft | null
  /** Outcome of the last write. */
  outcome: DraftOutcome
  /** To be called after each change; schedules a write. */
  touch(): void
  /** Writes pending changes now. */
  flush(): void
  /** Accepts the offered draft: its values are the input from now on. */
  accept(): void
  /** Declines the offered draft and removes it. */
  decline(): void
  /** Removes the draft, after a save. */
  drop(): void
}

/** Pending writes of all parts of the screen. */
const waiting = new Set<() => void>()

/** Writes all pending drafts now. */
export function flushDrafts(): void {
  for (const write of [...waiting]) write()
}

if (typeof window !== 'undefined') {
  addEventListener('pagehide', flushDrafts)
  document.addEventListener('visibilitychange', () => document.hidden && flushDrafts())
}

/** Stores unsaved input as a draft on this device, and offers an earlier draft. */
export function useDraft(of: DraftOptions): DraftHandle {
  const writer = useContext(Writer)
  const { thing, field, isDirty } = of
  const key: DraftKey | null = writer && { ...writer, thing, field }
  const name = key ? draftName(key) : ''
  const [offeredDraft, setOfferedDraft] = useState<Draft | null>(null)
  const [outcome, setOutcome] = useState<DraftOutcome>('kept')
  const now = useRef({ of, key, offered: offeredDraft })
  now.current = { of, key, offered: offeredDraft }
  const timer = useRef<ReturnType<typeof setTimeout>>()

  const write = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    // oxlint-disable-next-line react/immutability -- it names itself, and is called long after it was declared
    waiting.delete(write)
    const { of: it, key: its, offered: before } = now.current
    if (!its || !it.isDirty) return
    const { version, title } = it
    const path = location.pathname + location.search
    const pending = it.unanswered?.() ?? []
    const current = { texts: it.read(), at: Date.now(), version, title, path }
    const draft: Draft = pending.length > 0 ? { ...current, sent: pending } : current
    setOutcome(drafts().store(its, before ? { ...draft, earlier: before } : draft))
  }, [])

  useEffect(() => {
    const { of: it, key: its } = now.current
    const storedDraft = its && drafts().get(its)
    if (!its || !storedDraft) return setOfferedDraft(null)
    if (isSameTexts(storedDraft.texts, it.read())) drafts().remove(its)
    else setOfferedDraft(storedDraft)
  }, [name])

  // Pending changes are written when the component unmounts.
  useEffect(
    () => () => {
      if (timer.current !== undefined) write()
    },
    [name, write],
  )

  const part = `${thing} ${field}`
  useEffect(() => {
    setUnsaved(part, isDirty)
    return () => setUnsaved(part, false)
  }, [part, isDirty])

  return {
    name,
    offeredDraft,
    outcome,
    touch() {
      if (timer.current !== undefined) return
      waiting.add(write)
      timer.current = setTimeout(write, soon)
    },
    flush: write,
    accept: () => setOfferedDraft(null),
    decline() {
      setOfferedDraft(null)
      const { key: its, offered: before } = now.current
      const draft = its && drafts().get(its)
      if (!its || !draft || !before) return
      // Newer input stays; only the older draft was declined.
      const { earlier: _decided, ...rest } = draft
      if (draft.at > before.at) drafts().store(its, rest)
      else drafts().remove(its)
    },
    drop() {
      clearTimeout(timer.current)
      timer.current = undefined
      waiting.delete(write)
      const { key: its } = now.current
      if (its) drafts().remove(its)
    },
  }
}
