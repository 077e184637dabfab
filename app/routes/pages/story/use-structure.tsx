import type { useFetcher } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { showToast } from '#app/client/toast.ts'
import { getSettingText, type EditorBlock } from './blocks.ts'
import { pickHiddenSettings } from './settings.ts'

interface StructureChange {
  moved?: { id: string; step: 'up' | 'down' }
  removed?: EditorBlock
}

/** After a block was moved, removed or added: moves the focus, announces it, and offers to undo a removal. */
export function useStructure(
  structure: ReturnType<typeof useFetcher<{ ok: boolean; message?: string }>>,
  blocks: EditorBlock[],
) {
  const lastChange = useRef<StructureChange>({})
  const lastBlocks = useRef(blocks)
  const [announcement, setAnnouncement] = useState('')
  const { data, submit } = structure
  useEffect(() => {
    if (data && !data.ok) void showToast((toast) => toast.error(data.message ?? 'That did not work.'))
  }, [data])
  useEffect(() => {
    const before = lastBlocks.current
    lastBlocks.current = blocks
    if (before.map(({ id }) => id).join() === blocks.map(({ id }) => id).join()) return
    const { moved, removed } = lastChange.current
    lastChange.current = {}
    const newBlock = blocks.find((block) => !before.some(({ id }) => id === block.id))
    if (moved) {
      const at = blocks.findIndex(({ id }) => id === moved.id) + 1
      setAnnouncement(`Moved to position ${at} of ${blocks.length}.`)
      focusMove(moved.id, moved.step)
    } else if (removed && !blocks.some(({ id }) => id === removed.id)) {
      setAnnouncement('Block removed.')
      const undo = () => void submit(toRestoreForm(removed), { method: 'post' })
      void showToast((toast) => toast(({ closeToast }) => <Removed onUndo={() => (undo(), closeToast())} />))
    } else if (newBlock && before.length > 0) {
      setAnnouncement('Block added.')
      document.getElementById(`block-${newBlock.id}`)?.scrollIntoView({ block: 'center' })
    }
  }, [blocks, submit])
  const remember = useCallback((what: StructureChange) => {
    lastChange.current = what
  }, [])
  return { remember, announcement }
}

/** The form that restores a removed block at its position. */
function toRestoreForm({ kind, settings, position }: EditorBlock): Record<string, string> {
  const texts = Object.keys(settings).flatMap((name) =>
    getSettingText(settings, name) ? [[name, getSettingText(settings, name)]] : [],
  )
  const isDecoration: Record<string, string> = settings.alt === '' ? { isDecoration: 'on' } : {}
  return {
    ...{ html: '', ...Object.fromEntries(texts), ...pickHiddenSettings(settings), ...isDecoration },
    ...{ intent: 'content.add', kind, position: String(position) },
  }
}

function Removed({ onUndo }: { onUndo(): void }) {
  return (
    <p className="row">
      <span className="grow">Block removed.</span>
      <button type="button" className="button is-small" onClick={onUndo}>
        Undo
      </button>
    </p>
  )
}

/** The pressed button moved with its block; at the end of the page its counterpart gets the focus. */
function focusMove(id: string, step: 'up' | 'down') {
  const button = (which: string) => document.querySelector<HTMLButtonElement>(`[data-move="${id} ${which}"]`)
  const pressedButton = button(step)
  const target = pressedButton?.disabled ? button(step === 'up' ? 'down' : 'up') : pressedButton
  if (!document.activeElement?.closest('[contenteditable]')) target?.focus()
}
