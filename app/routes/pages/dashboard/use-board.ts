import { useFetcher } from '@remix-run/react'
import { useContext, useEffect, useMemo, useRef, useState } from 'react'
import { failureIn } from '#app/client/drafts/client-handlers.ts'
import { useRetry } from '#app/client/drafts/use-retry.ts'
import { setUnsaved } from '#app/client/drafts/unsaved-parts.ts'
import { showToast } from '#app/client/toast.ts'
import { computeLayout, isSame, settleItems, stepItem, type Item, type Step } from './layout.ts'
import type { EditorBlock } from '../story/blocks.ts'
import { Unsaved } from '../story/use-saving.ts'

type Outcome = { ok: true } | { ok: false; message: string }

/** Debounce of saving, in milliseconds, so that several steps are one save. */
const saveAfter = 600

/** The layout being edited. It is saved automatically; a rejected change is reverted. */
export function useBoard(blocks: EditorBlock[]) {
  const fetcher = useFetcher<Outcome>()
  const report = useContext(Unsaved)
  const savedItems = useMemo(() => computeLayout(blocks), [blocks])
  const [draft, setDraft] = useState<Item[] | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const submittedItems = useRef<Item[] | null>(null)
  const items = useMemo(() => (draft ? merge(draft, savedItems) : savedItems), [draft, savedItems])
  const isSaving = fetcher.state !== 'idle'

  const save = () => {
    if (!draft || isSaving) return
    submittedItems.current = draft
    void fetcher.submit({ intent: 'layout', items: JSON.stringify(items) }, { method: 'post' })
  }
  const saving = useRef(save)
  saving.current = save
  const outcome = fetcher.data
  const failure = draft && !isSaving ? failureIn(outcome) : null
  const retry = useRetry(failure, isSaving, save)

  useEffect(() => {
    if (!draft || isSaving || draft === submittedItems.current || failure) return
    const timer = setTimeout(() => saving.current(), saveAfter)
    return () => clearTimeout(timer)
  }, [draft, isSaving, failure])

  useEffect(() => {
    // A failed save is retried; a rejected one is reverted.
    if (!outcome || isSaving || submittedItems.current === null || failureIn(outcome)) return
    const was = submittedItems.current
    submittedItems.current = null
    // The page has been revalidated by now: it has the saved layout, or the previous one.
    setDraft((current) => (current === was || !outcome.ok ? null : current))
    if (!outcome.ok) void showToast((toast) => toast.error(outcome.message))
  }, [outcome, isSaving])

  useEffect(() => {
    report('layout', draft ? () => saving.current() : null)
    setUnsaved('layout', draft !== null)
    return () => {
      report('layout', null)
      setUnsaved('layout', false)
    }
  }, [draft, report])

  const set = (next: Item[]) => {
    if (!isSame(items, next)) setDraft(next)
  }
  return {
    items,
    isSaving,
    failure,
    retryIn: retry.seconds,
    save,
    /** The last action, for screen readers. */
    said: announcement,
    step(id: string, step: Step) {
      const next = stepItem(items, id, step)
      if (!next) return setAnnouncement('There is no room in this direction.')
      set(next)
      const at = next.find((item) => item.id === id)
      if (at) setAnnouncement(`Column ${at.x + 1}, row ${at.y + 1}, ${at.w} wide, ${at.h} high.`)
    },
    /** Applies the positions after dragging. */
    place(next: readonly Item[], first: string) {
      set(settleItems(next, first))
    },
  }
}

/** The edited layout, without removed blocks and with new ones. */
function merge(draft: readonly Item[], savedItems: readonly Item[]): Item[] {
  const itemsById = new Map(draft.map((item) => [item.id, item]))
  return settleItems(savedItems.map((item) => itemsById.get(item.id) ?? item))
}
