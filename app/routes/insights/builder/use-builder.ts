import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react'
import { previewPauseMs, usePreview } from '#app/client/use-preview.ts'
import { pack } from '#app/components/builder/address.ts'
import type { Draft } from '#app/components/builder/draft.ts'
import { startHistory, pushChange, redoChange, undoChange, type History } from './history.ts'
import { isSame } from '#app/components/builder/json.ts'
import type { Preview } from '#app/components/builder/preview.tsx'

type Move = { draft: Draft; tag: string; at: number } | 'undo' | 'redo'

const applyMove = (history: History<Draft>, move: Move) => {
  if (move === 'undo') return undoChange(history)
  if (move === 'redo') return redoChange(history)
  return isSame(history.now, move.draft) ? history : pushChange(history, move.draft, move.tag, move.at)
}

/** A draft with its undo history, preview, and URL. */
export function useBuilder(start: Draft, first: Preview | null) {
  const [history, move] = useReducer(applyMove, start, startHistory<Draft>)
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
  const { result, isAsking } = usePreview<Preview>(toFormFields(draft), { key: draft, isFirst: false })
  // A failed request changes nothing.
  const answered = useRef(first)
  if (result) answered.current = result
  const preview = answered.current
  const last = useRef<Extract<Preview, { ok: true }> | null>(null)
  useMemo(() => {
    if (preview?.ok) last.current = preview
  }, [preview])
  return { preview, last: last.current, isAsking }
}

/** The fields of the form that requests a preview. */
function toFormFields({ dataTypeId, sourceId, query, visualization }: Draft): Record<string, string> {
  return {
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
    const timer = setTimeout(() => void write(draft), previewPauseMs)
    return () => clearTimeout(timer)
  }, [draft, start])
}

async function write(draft: Draft) {
  const url = new URL(window.location.href)
  url.search = ''
  url.searchParams.set('q', await pack(draft))
  window.history.replaceState(window.history.state, '', url)
}
