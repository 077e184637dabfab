import { Link, useFetcher } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { toast } from 'react-toastify/unstyled'
import { AddBlock } from './add-block.tsx'
import { BlockCard } from './block-card.tsx'
import { textOf, type EditorBlock } from './blocks.ts'
import type { InsightChoice } from './insight-picker.tsx'
import { LeaveDialog } from '../form/leave-dialog.tsx'
import { PageSettings, type PageSettingsProps } from './page-settings.tsx'
import { PublishPanel, type PublishPanelProps } from './publish-panel.tsx'
import { Unsaved } from './use-saving.ts'

export interface StoryEditorProps extends Omit<PublishPanelProps, 'page' | 'unsaved' | 'onSaveAll'> {
  page: PublishPanelProps['page'] & PageSettingsProps['page'] & { type: string }
  blocks: EditorBlock[]
  insights: InsightChoice[]
  /** What a form without scripts sent when it was refused. */
  given: Record<string, string> | undefined
}

/** Writes a story: its title, its blocks in their order, and its publishing. */
export function StoryEditor({ page, blocks, insights, given, ...panel }: StoryEditorProps) {
  const structure = useFetcher<{ ok: boolean; message?: string }>()
  const { tell, unsaved, saveAll } = useUnsaved()
  const { remember, announcement } = useStructure(structure, blocks)
  const onRemove = (block: EditorBlock) => {
    remember.current = { removed: block }
  }
  return (
    <Unsaved.Provider value={tell}>
      <noscript>
        <style>{'.needs-scripts{display:none!important}'}</style>
      </noscript>
      <div className="editor">
        <div className={`editor-main is-${page.type}`}>
          <nav className="crumbs" aria-label="Breadcrumb">
            <ol>
              <li>
                <Link to="/pages">Pages</Link>
              </li>
              <li>
                <Link to={panel.readUrl}>{page.title}</Link>
              </li>
            </ol>
          </nav>
          <h1 className="sr-only">Modify {page.title}</h1>
          <PageSettings page={page} given={given?.intent === 'page.save' ? given : undefined} />
          {blocks.map((block) => (
            <div key={block.id}>
              <AddBlock structure={structure} insights={insights} position={block.position} />
              <BlockCard
                block={block}
                blocks={blocks}
                structure={structure}
                given={given?.contentId === block.id ? given.html : undefined}
                onMove={(id, step) => (remember.current = { moved: { id, step } })}
                onRemove={onRemove}
              />
            </div>
          ))}
          <AddBlock structure={structure} insights={insights} position={null} isOpen />
        </div>
        <PublishPanel {...panel} page={page} unsaved={unsaved} onSaveAll={saveAll} />
      </div>
      <p className="sr-only" role="status">
        {announcement}
      </p>
      <LeaveDialog isUnsaved={unsaved > 0} />
    </Unsaved.Provider>
  )
}

/** Which parts have unsaved words; Ctrl S (or ⌘ S) saves them all. */
function useUnsaved() {
  const saves = useRef(new Map<string, () => void>())
  const [unsaved, setUnsaved] = useState(0)
  const tell = useCallback((id: string, save: (() => void) | null) => {
    if (save) saves.current.set(id, save)
    else saves.current.delete(id)
    queueMicrotask(() => setUnsaved(saves.current.size))
  }, [])
  const saveAll = useCallback(() => {
    for (const save of [...saves.current.values()]) save()
  }, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      saveAll()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [saveAll])
  return { tell, unsaved, saveAll }
}

interface Remembered {
  moved?: { id: string; step: 'up' | 'down' }
  removed?: EditorBlock
}

/** After a block was moved, removed or added: the focus goes where one works on, it is said, and a removal can be undone. */
function useStructure(
  structure: ReturnType<typeof useFetcher<{ ok: boolean; message?: string }>>,
  blocks: EditorBlock[],
) {
  const remember = useRef<Remembered>({})
  const known = useRef(blocks)
  const [announcement, setAnnouncement] = useState('')
  const { data, submit } = structure
  useEffect(() => {
    if (data && !data.ok) toast.error(data.message ?? 'That did not work.')
  }, [data])
  useEffect(() => {
    const before = known.current
    known.current = blocks
    if (before.map(({ id }) => id).join() === blocks.map(({ id }) => id).join()) return
    const { moved, removed } = remember.current
    remember.current = {}
    const added = blocks.find((block) => !before.some(({ id }) => id === block.id))
    if (moved) {
      const at = blocks.findIndex(({ id }) => id === moved.id) + 1
      setAnnouncement(`Moved to position ${at} of ${blocks.length}.`)
      focusMove(moved.id, moved.step)
    } else if (removed && !blocks.some(({ id }) => id === removed.id)) {
      setAnnouncement('Block removed.')
      const undo = () => void submit(again(removed), { method: 'post' })
      toast(({ closeToast }) => <Removed onUndo={() => (undo(), closeToast())} />)
    } else if (added && before.length > 0) {
      setAnnouncement('Block added.')
      document.getElementById(`block-${added.id}`)?.scrollIntoView({ block: 'center' })
    }
  }, [blocks, submit])
  return { remember, announcement }
}

/** The form that puts a removed block back where it stood. */
function again({ kind, settings, position }: EditorBlock): Record<string, string> {
  const texts = Object.keys(settings).flatMap((name) =>
    textOf(settings, name) ? [[name, textOf(settings, name)]] : [],
  )
  return { html: '', ...Object.fromEntries(texts), intent: 'content.add', kind, position: String(position) }
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

/** The button one pressed moved with its block; at the end of the page its counterpart takes the focus. */
function focusMove(id: string, step: 'up' | 'down') {
  const button = (which: string) => document.querySelector<HTMLButtonElement>(`[data-move="${id} ${which}"]`)
  const wanted = button(step)
  const target = wanted?.disabled ? button(step === 'up' ? 'down' : 'up') : wanted
  if (!document.activeElement?.closest('[contenteditable]')) target?.focus()
}
