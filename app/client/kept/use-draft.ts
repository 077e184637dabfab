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
import { setTyped } from './typed.ts'

/** Whose words are typed, and in which place: drafts are theirs alone. Null: no one is signed in, so none are kept. */
export const Writer = createContext<{ userId: string; placeId: string } | null>(null)

let here: string | null = null

/** Who is signed in on this screen, for what is no component; null: no one. */
export const writerHere = (): string | null => here

export function setWriterHere(userId: string | null): void {
  here = userId
}

/** A draft is written at most so many milliseconds after the last letter, and when the tab is hidden or closed. */
const soon = 400

interface Drafting {
  /** Kind and id of what is written, and the part of it ('' for all). */
  thing: string
  field: string
  /** What it is called where drafts are listed. */
  title: string
  version: number | null
  /** Whether there is something that is not saved. */
  isDirty: boolean
  /** What is written now, of what may be kept. */
  read(): Texts
  /** What was sent and not answered yet. */
  unanswered?(): Texts[]
}

export interface DraftHandle {
  /** The name of the draft, which a form sends as `kept`; '' where none is kept. */
  name: string
  /** A draft of before that says something else than what is shown; null without one. */
  offeredDraft: Draft | null
  /** Whether the last words could be kept. */
  outcome: DraftOutcome
  /** Says that something was typed. */
  touch(): void
  /** Writes at once what is waiting. */
  flush(): void
  /** The offer was taken: what it says is written from now on. */
  accept(): void
  /** The offer was declined: what it says is gone. */
  decline(): void
  /** Removes the draft: what is written is what is saved. */
  drop(): void
}

/** What waits to be written, of all parts of the screen. */
const waiting = new Set<() => void>()

/** Writes all drafts that wait. */
export function flushDrafts(): void {
  for (const write of [...waiting]) write()
}

if (typeof window !== 'undefined') {
  addEventListener('pagehide', flushDrafts)
  document.addEventListener('visibilitychange', () => document.hidden && flushDrafts())
}

/** Keeps what is typed on this device until it is saved, and finds what was kept before. */
export function useDraft(of: Drafting): DraftHandle {
  const writer = useContext(Writer)
  const { thing, field, isDirty } = of
  const key: DraftKey | null = writer && { ...writer, thing, field }
  const name = key ? draftName(key) : ''
  const [offeredDraft, setOffered] = useState<Draft | null>(null)
  const [outcome, setKept] = useState<DraftOutcome>('kept')
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
    setKept(drafts().keep(its, before ? { ...draft, earlier: before } : draft))
  }, [])

  useEffect(() => {
    const { of: it, key: its } = now.current
    const storedDraft = its && drafts().get(its)
    if (!its || !storedDraft) return setOffered(null)
    if (isSameTexts(storedDraft.texts, it.read())) drafts().remove(its)
    else setOffered(storedDraft)
  }, [name])

  // Where a tab closes or a screen goes, what waits is written.
  useEffect(
    () => () => {
      if (timer.current !== undefined) write()
    },
    [name, write],
  )

  const part = `${thing} ${field}`
  useEffect(() => {
    setTyped(part, isDirty)
    return () => setTyped(part, false)
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
    accept: () => setOffered(null),
    decline() {
      setOffered(null)
      const { key: its, offered: before } = now.current
      const draft = its && drafts().get(its)
      if (!its || !draft || !before) return
      // What was typed since stays; only the older words are decided about.
      const { earlier: _decided, ...rest } = draft
      if (draft.at > before.at) drafts().keep(its, rest)
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
