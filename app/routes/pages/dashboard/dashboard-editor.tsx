import { useFetcher } from '@remix-run/react'
import { useContext, useEffect, useMemo, useState, type ComponentType } from 'react'
import { Board } from './board.tsx'
import type { GridBoardProps } from './grid-board.tsx'
import { PlaceForm } from './place-form.tsx'
import { Tile, tileName } from './tile.tsx'
import { useBoard } from './use-board.ts'
import { LeaveDialog } from '#app/components/form/leave-dialog.tsx'
import { AddBlock } from '../story/add-block.tsx'
import type { EditorBlock } from '../story/blocks.ts'
import { FigureChoicesContext } from '#app/components/story/figure-choices.ts'
import { checklist } from '#functions/shapes/page-checklist.ts'
import { FieldForm } from '../story/field-block.tsx'
import { EditorHead } from '../story/editor-head.tsx'
import type { Visibility } from '#app/components/list/badges.tsx'
import { PublishPanel } from '../story/publish-panel.tsx'
import type { StoryEditorProps } from '../story/story-editor.tsx'
import { TextBlock } from '../story/text-block.tsx'
import { useAllUnsaved } from '../story/use-all-unsaved.ts'
import { EditedThing, SavesItself, Unsaved } from '../story/use-saving.ts'
import { useAdded } from '../story/use-added.ts'
import { LostDrafts } from '../story/lost-drafts.tsx'
import { BoardLine, StaleLine } from '#app/components/form/draft-status.tsx'
import { useStructure } from '../story/use-structure.tsx'
import { useHydrated } from '#app/client/use-hydrated.ts'

/** The editor of a dashboard: figures, texts and pictures on a grid of twelve columns, and publishing. */
export function DashboardEditor(props: StoryEditorProps) {
  const { report, unsaved, saveAll } = useAllUnsaved()
  const { insights, page } = props
  const { id, title, placeId } = page
  const figures = useMemo(() => ({ placeId, insights }), [placeId, insights])
  const edited = useMemo(() => ({ thing: `page/${id}`, title }), [id, title])
  return (
    <EditedThing.Provider value={edited}>
      <FigureChoicesContext.Provider value={figures}>
        <Unsaved.Provider value={report}>
          <SavesItself.Provider value={props.page.publish === 'draft'}>
            <Arranging {...props} unsaved={unsaved} onSaveAll={saveAll} />
            <LeaveDialog isUnsaved={unsaved > 0} other="version" isKept />
          </SavesItself.Provider>
        </Unsaved.Provider>
      </FigureChoicesContext.Provider>
    </EditedThing.Provider>
  )
}

type ArrangingProps = StoryEditorProps & { unsaved: number; onSaveAll(): void }

function Arranging({ page, blocks: savedBlocks, insights, formValues, ...panel }: ArrangingProps) {
  const { all: blocks, add, forget } = useAdded(savedBlocks)
  const { thing } = useContext(EditedThing)
  const structure = useFetcher<{ ok: boolean; message?: string }>()
  const { remember, announcement } = useStructure(structure, blocks)
  const board = useBoard(blocks)
  const [selectedId, setSelectedId] = useChosen()
  const Grid = useGridBoard()
  const addChosen = (block: Parameters<typeof add>[0]) => setSelectedId(add(block))
  const tile = (block: EditorBlock) => (
    <Tile
      block={block}
      structure={structure}
      isChosen={block.id === selectedId}
      onChoose={setSelectedId}
      onStep={board.step}
      onRemove={(removed) => {
        if (removed.version === 0) forget(removed.id)
        else remember({ removed })
      }}
    />
  )
  return (
    <>
      <div className="editor is-board">
        <div className="editor-main is-dashboard">
          <EditorHead page={page} formValues={formValues} readUrl={panel.readUrl} />
          <p className="muted" id="tile-keys">
            Drag a tile by its head, resize it at its corner. With the keyboard: arrow keys move it, with
            Shift they resize it.
          </p>
          {Grid ? (
            <Grid blocks={blocks} items={board.items} onPlace={board.place}>
              {tile}
            </Grid>
          ) : (
            <Board blocks={blocks} items={board.items}>
              {tile}
            </Board>
          )}
          <BoardLine failure={board.failure} seconds={board.retryIn} onTry={board.save} />
          <StaleLine />
          <LostDrafts thing={thing} blocks={blocks} onAdd={addChosen} />
          <AddBlock insights={insights} position={null} onAdd={addChosen} isOpen assetsId={page.placeId} />
        </div>
        <div className="editor-side">
          <PublishPanel
            {...panel}
            page={page}
            findings={checklist(page, blocks)}
            submittedVisibility={formValues?.visibility as Visibility | undefined}
          />
          {blocks.map((block) => (
            <Chosen
              key={block.id}
              block={block}
              assetsId={page.placeId}
              isChosen={block.id === selectedId}
              formValues={formValues?.contentId === block.id ? formValues.html : undefined}
              onStep={board.step}
            />
          ))}
        </div>
      </div>
      <p className="sr-only" role="status">
        {board.said || announcement}
      </p>
    </>
  )
}

/** The id of the block with an open form, null for none, and its setter. */
function useChosen() {
  const [selectedId, setSelectedId] = useState<string | null>(null)
  useEffect(() => {
    // The checklist links to blocks by fragment.
    const onHash = () => {
      const id = /^#block-(.+)$/.exec(location.hash)?.[1]
      if (id) setSelectedId(id)
    }
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [])
  return [selectedId, setSelectedId] as const
}

/** The form and position of a tile. Unselected ones stay mounted but hidden, with their unsaved input. */
function Chosen({
  block,
  assetsId,
  isChosen,
  formValues,
  onStep,
}: {
  block: EditorBlock
  assetsId: string
  isChosen: boolean
  formValues: string | undefined
  onStep: Parameters<typeof PlaceForm>[0]['onStep']
}) {
  const isHydrated = useHydrated()
  const name = tileName(block)
  return (
    <section className="card" id={`block-${block.id}`} aria-label={name} hidden={isHydrated && !isChosen}>
      <div className="card-head">
        <h2 className="card-title truncate">{name}</h2>
      </div>
      <div className="card-body stack">
        <PlaceForm id={block.id} onStep={onStep} />
        {block.kind === 'text' ? (
          <TextBlock block={block} label={name} formValues={formValues} />
        ) : (
          <FieldForm block={block} assetsId={assetsId} />
        )}
      </div>
    </section>
  )
}

/** The drag-and-drop grid, once loaded; null before, and without scripts. */
function useGridBoard() {
  const [Grid, setGrid] = useState<ComponentType<GridBoardProps> | null>(null)
  useEffect(() => {
    let isGone = false
    import('./grid-board.tsx').then(
      ({ GridBoard }) => !isGone && setGrid(() => GridBoard),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [])
  return Grid
}
