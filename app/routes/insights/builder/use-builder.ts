import { useFetcher } from '@remix-run/react'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { pack } from '#app/components/builder/address.ts'
import type { Draft } from '#app/components/builder/draft.ts'
import { begun, done, redone, undone, type History } from './history.ts'
import { isSame } from '#app/components/builder/json.ts'
import type { Preview } from '#app/components/builder/preview.tsx'

type Move = { draft: Draft; tag: string; at: number } | 'undo' | 'redo'

const moved = (history: History<Draft>, move: Move) => {
  if (move === 'undo') return undone(history)
  if (move === 'redo') return redone(history)
  return isSame(history.now, move.draft) ? history : done(history, move.draft, move.tag, move.at)
}

/** Debounce of the preview, in milliseconds. */
const patience = 400

/** A draft with its undo history, preview, and URL. */
export function useBuilder(start: Draft, first: Preview | null) {
  const [history, move] = useReducer(moved, start, begun<Draft>)
  const { now: draft, past, future } = history
  const { preview, last, isAsking } = useAnswer(draft, first)
  useAddress(draft, start)
  const change = useCallback(
    (changes: Partial<Draft>, tag = '') => move({ draft: { ...draft, ...changes }, tag, at: Date.now() }),
    [draft],
  )
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isText = event.target instanceof HTMLElement && event.target.matches('input, textarea')
      if (isText || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
      event.preventDefault()
      move(event.shiftKey ? 'redo' : 'undo')
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return {
    draft,
    change,
    undo: past.length ? () => move('undo') : null,
    redo: future.length ? () => move('redo') : null,
    isChanged: !isSame(draft, start),
    preview,
    last,
    isAsking,
  }
}

/** Runs the query after a pause; keeps the last successful preview. */
function useAnswer(draft: Draft, first: Preview | null) {
  const { submit, data, state } = useFetcher<{ intent: string; result: Preview }>()
  const lastDraft = useRef(draft)
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    if (lastDraft.current === draft) return
    setWaiting(true)
    const timer = setTimeout(() => {
      lastDraft.current = draft
      setWaiting(false)
      void submit(fieldsOf(draft), { method: 'post' })
    }, patience)
    return () => clearTimeout(timer)
  }, [draft, submit])
  // A failed request changes nothing.
  const answered = useRef(first)
  if (data && 'result' in data) answered.current = data.result
  const preview = answered.current
  const last = useRef<Extract<Preview, { ok: true }> | null>(null)
  useMemo(() => {
    if (preview?.ok) last.current = preview
  }, [preview])
  return { preview, last: last.current, isAsking: isWaiting || state !== 'idle' }
}

/** The fields of the form that requests a preview. */
function fieldsOf({ dataTypeId, sourceId, query, visualization }: Draft): Record<string, string> {
  return {
    intent: 'preview',
    dataTypeId,
    sourceId: sourceId ?? '',
    query: JSON.stringify(query),
    visualization: visualization ? JSON.stringify(visualization) : '',
  }
}

/** Keeps the query in the URL, so that every state can be linked. Without history entries, as there is "Undo". */
function useAddress(draft: Draft, start: Draft) {
  useEffect(() => {
    if (draft === start) return
    const timer = setTimeout(() => void write(draft), patience)
    return () => clearTimeout(timer)
  }, [draft, start])
}

async function write(draft: Draft) {
  const url = new URL(window.location.href)
  url.search = ''
  url.searchParams.set('q', await pack(draft))
  window.history.replaceState(window.history.state, '', url)
}
