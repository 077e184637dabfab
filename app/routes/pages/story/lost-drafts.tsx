import { useContext, useEffect, useRef, useState } from 'react'
import { drafts, type Draft, type DraftKey } from '#app/client/drafts/drafts.ts'
import { normalizeHtml } from '#app/client/drafts/same-html.ts'
import { Writer } from '#app/client/drafts/use-draft.ts'
import { contentKinds, type ContentKind } from '#functions/shapes/content.ts'
import { DraftOffer } from '#app/components/form/draft-offer.tsx'
import { RichText } from '#app/components/hub/rich-text.tsx'
import { blockKinds, type EditorBlock } from './blocks.ts'
import { settingsFrom } from './settings.ts'
import type { AddedBlock } from './use-added.ts'

export interface LostDraftsProps {
  /** Kind and id of the page. */
  thing: string
  blocks: readonly EditorBlock[]
  onAdd(block: Omit<AddedBlock, 'id'>): void
}

interface LostDraft {
  key: DraftKey
  draft: Draft
  kind: ContentKind
}

/** Drafts of contents that are not on the page: never saved, or removed by someone. */
export function LostDrafts({ thing, blocks, onAdd }: LostDraftsProps) {
  const writer = useContext(Writer)
  const userId = writer?.userId
  const [lost, setLost] = useState<LostDraft[]>([])
  const blocksRef = useRef(blocks)
  blocksRef.current = blocks
  useEffect(() => {
    if (userId === undefined) return
    const fieldIds = new Set(['page', ...blocksRef.current.map(({ id }) => id)])
    const lostDrafts = drafts()
      .listByUser(userId)
      .flatMap(({ key, draft }) => {
        const kind = draft.texts[':kind'] as ContentKind
        const isLost = key.thing === thing && !fieldIds.has(key.field) && contentKinds.includes(kind)
        return isLost ? [{ key, draft, kind }] : []
      })
    setLost(lostDrafts)
    // Only as of opening the page: later drafts are on the screen.
  }, [thing, userId])
  const settle = ({ key }: LostDraft) => {
    drafts().remove(key)
    setLost((before) => before.filter((each) => each.key.field !== key.field))
  }
  return (
    <>
      {lost.map((each) => (
        <DraftOffer
          key={each.key.field}
          draft={each.draft}
          version={null}
          words={{ use: 'Add it to the page', decline: 'Throw it away' }}
          ownVersion={<Words texts={each.draft.texts} />}
          theirs={<p className="muted">{blockKinds[each.kind].name}: it is not on the page.</p>}
          onUse={() => {
            onAdd({
              kind: each.kind,
              settings: settingsFrom(each.kind, withoutMarks(each.draft.texts)),
              position: null,
            })
            settle(each)
          }}
          onDecline={() => settle(each)}
        />
      ))}
    </>
  )
}

/** The fields that create the content with its draft. */
const withoutMarks = (texts: Draft['texts']) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name.replace(/^:/, ''), text]))

function Words({ texts: { html, ...texts } }: { texts: Draft['texts'] }) {
  const visibleTexts = Object.entries(texts).filter(
    ([name, text]) => !name.startsWith(':') && text && text !== 'on',
  )
  return (
    <>
      {html ? <RichText html={normalizeHtml(html)} /> : null}
      {visibleTexts.map(([name, text]) => (
        <p key={name}>{text}</p>
      ))}
    </>
  )
}
