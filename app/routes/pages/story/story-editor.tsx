import { useFetcher } from '@remix-run/react'
import { AddBlock } from './add-block.tsx'
import { BlockCard } from './block-card.tsx'
import type { EditorBlock } from './blocks.ts'
import type { InsightChoice } from '#app/components/story/insight-picker.tsx'
import { LeaveDialog } from '#app/components/form/leave-dialog.tsx'
import { EditorHead } from './editor-head.tsx'
import type { PageSettingsProps } from './page-settings.tsx'
import type { Visibility } from '#app/components/list/badges.tsx'
import { PublishPanel, type PublishPanelProps } from './publish-panel.tsx'
import { checklist } from '#functions/shapes/page-checklist.ts'
import { useAllUnsaved } from './use-all-unsaved.ts'
import { useStructure } from './use-structure.tsx'
import { EditedThing, SavesItself, Unsaved } from './use-saving.ts'
import { useAdded } from './use-added.ts'
import { LostDrafts } from './lost-drafts.tsx'
import { StaleLine } from '#app/components/form/draft-status.tsx'
import { FigureChoicesContext } from '#app/components/story/figure-choices.ts'
import { useMemo } from 'react'

export interface StoryEditorProps extends Omit<
  PublishPanelProps,
  'page' | 'unsaved' | 'onSaveAll' | 'findings'
> {
  page: PublishPanelProps['page'] & PageSettingsProps['page'] & { id: string; type: string; placeId: string }
  blocks: EditorBlock[]
  insights: InsightChoice[]
  /** The submitted values after an error without scripts. */
  formValues: Record<string, string> | undefined
}

/** The editor of a story: title, blocks in order, and publishing. */
export function StoryEditor({
  page,
  blocks: storedBlocks,
  insights,
  formValues,
  ...panel
}: StoryEditorProps) {
  const { all: blocks, add, forget } = useAdded(storedBlocks)
  const edited = useMemo(() => ({ thing: `page/${page.id}`, title: page.title }), [page.id, page.title])
  const figures = useMemo(() => ({ placeId: page.placeId, insights }), [page.placeId, insights])
  const structure = useFetcher<{ ok: boolean; message?: string }>()
  const { report, unsaved, saveAll } = useAllUnsaved()
  const { remember, announcement } = useStructure(structure, blocks)
  const onRemove = (block: EditorBlock) => {
    if (block.version === 0) forget(block.id)
    else remember({ removed: block })
  }
  return (
    <EditedThing.Provider value={edited}>
      <FigureChoicesContext.Provider value={figures}>
        <Unsaved.Provider value={report}>
          <SavesItself.Provider value={page.publish === 'draft'}>
            <noscript>
              <style>{'.needs-scripts{display:none!important}'}</style>
            </noscript>
            <div className="editor">
              <div className={`editor-main is-${page.type}`}>
                <EditorHead page={page} formValues={formValues} readUrl={panel.readUrl} />
                <StaleLine />
                {blocks.map((block) => (
                  <div key={block.id}>
                    <AddBlock
                      insights={insights}
                      position={block.position}
                      onAdd={add}
                      assetsId={page.placeId}
                    />
                    <BlockCard
                      block={block}
                      blocks={blocks}
                      isStory={page.type === 'storytelling'}
                      structure={structure}
                      formValues={formValues?.contentId === block.id ? formValues.html : undefined}
                      onMove={(id, step) => remember({ moved: { id, step } })}
                      onRemove={onRemove}
                      assetsId={page.placeId}
                    />
                  </div>
                ))}
                <LostDrafts thing={edited.thing} blocks={blocks} onAdd={add} />
                <AddBlock insights={insights} position={null} onAdd={add} isOpen assetsId={page.placeId} />
              </div>
              <PublishPanel
                {...panel}
                page={page}
                unsaved={unsaved}
                onSaveAll={saveAll}
                findings={checklist(page, blocks)}
                submittedVisibility={formValues?.visibility as Visibility | undefined}
              />
            </div>
            <p className="sr-only" role="status">
              {announcement}
            </p>
            <LeaveDialog isUnsaved={unsaved > 0} other="version" isKept />
          </SavesItself.Provider>
        </Unsaved.Provider>
      </FigureChoicesContext.Provider>
    </EditedThing.Provider>
  )
}
