import { Form, Link } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import type { EditorBlock } from './blocks.ts'
import { describeRestore, type Comparison, type PartStatus } from './compare.ts'
import { ReadBlock } from './read-block.tsx'
import { Board } from '../dashboard/board.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Moment } from '#app/components/list/time.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { maxVersionedPageBytes } from '#functions/shapes/page-version.ts'

export interface PageVersion {
  id: string
  number: number
  kind: 'edited' | 'published' | 'restored'
  authorName: string | null
  restoredFrom: Date | string | null
  updatedAt: Date | string
}

export interface VersionsViewProps {
  page: { id: string; title: string; type: string; publish: 'draft' | 'published' }
  /** Newest first. */
  versions: PageVersion[]
  /** Whether the page is too large for versions now. */
  isTooLarge: boolean
  /** The shown version; null if there is none yet. */
  selected: {
    version: PageVersion & { title: string; description: string; author: string }
    blocks: EditorBlock[]
    comparison: Comparison
  } | null
  /** Whether it was just restored. */
  isRestored: boolean
}

/** The versions of a page: a list, one of them as read, and a restore button. */
export function VersionsView({ page, versions, isTooLarge, selected, isRestored }: VersionsViewProps) {
  const editUrl = `/pages/${page.type}/${page.id}/modify`
  return (
    <>
      <PageHead
        title={`Versions of “${page.title}”`}
        crumbs={[
          { label: 'Pages', to: '/pages' },
          { label: page.title, to: `/pages/${page.type}/${page.id}` },
        ]}
        sub="Every save that changed something, for whoever may modify the page."
        actions={
          <Link className="button" to={editUrl}>
            Back to the editor
          </Link>
        }
      />
      {isTooLarge ? <TooLarge hasVersions={versions.length > 0} /> : null}
      {selected ? (
        <div className="editor is-versions">
          <nav className="editor-panel card" aria-label="Versions">
            <ol className="versions">
              {versions.map((version) => (
                <li key={version.id}>
                  <Link
                    to={`?version=${version.id}`}
                    className="version"
                    aria-current={version.id === selected.version.id ? 'true' : undefined}
                    preventScrollReset
                  >
                    <Moment date={version.updatedAt} />
                    <span className="version-who">
                      {version.authorName ?? 'Unknown'} <Kind version={version} />
                    </span>
                  </Link>
                </li>
              ))}
            </ol>
          </nav>
          <div className="editor-main">
            <Standings key={selected.version.id} {...{ page, selected, isRestored, isTooLarge }} />
            <article className="version-shown" aria-label={`Version ${selected.version.number}`}>
              <h2 className="page-title">{selected.version.title}</h2>
              {selected.version.description ? (
                <p className="page-sub">{selected.version.description}</p>
              ) : null}
              {selected.version.author ? <p className="muted">{selected.version.author}</p> : null}
              <Blocks type={page.type} blocks={selected.blocks} standings={selected.comparison.standings} />
            </article>
          </div>
        </div>
      ) : isTooLarge ? null : (
        <EmptyState
          title="No versions yet"
          text="The first change keeps what the page says now, and then every save that changes something is kept here."
        />
      )}
    </>
  )
}

/** A note that no versions are stored, and what to do about it. */
function TooLarge({ hasVersions }: { hasVersions: boolean }) {
  return (
    <div className="notice is-warning" role="status">
      <p>
        <b>This page is too large to keep versions.</b> Its parts are more than{' '}
        {maxVersionedPageBytes / 1_000_000} MB, so what is saved now cannot be brought back
        {hasVersions ? ', and none of these can be restored' : ''}. Take parts off, or divide it into several
        pages: then every save is kept again.
      </p>
    </div>
  )
}

const kinds = { edited: 'Edited', published: 'Published', restored: 'Restored' }

function Kind({ version: { kind } }: { version: PageVersion }) {
  return <span className={kind === 'published' ? 'badge is-success' : 'badge'}>{kinds[kind]}</span>
}

/** The effects of restoring, and the button; afterwards the confirmation has the focus. */
function Standings({
  page,
  selected,
  isRestored,
  isTooLarge,
}: { selected: NonNullable<VersionsViewProps['selected']> } & Pick<
  VersionsViewProps,
  'page' | 'isRestored' | 'isTooLarge'
>) {
  const { version, comparison } = selected
  const status = useRef<HTMLParagraphElement>(null)
  // Deferred, as the outcome is known before the page has revalidated.
  const isDone = isRestored && comparison.isNow
  useEffect(() => {
    if (isDone) status.current?.focus()
  }, [isDone])
  return (
    <div className="card">
      <div className="card-body stack">
        <p ref={status} tabIndex={-1} className="version-status">
          <b>
            Version {version.number}, <Moment date={version.updatedAt} />
          </b>
          <br />
          {comparison.isNow ? 'This is what the page says now.' : describeRestore(comparison).join(' ')}
          {version.restoredFrom ? (
            <>
              {' '}
              It brought back what was saved on <Moment date={version.restoredFrom} />.
            </>
          ) : null}
        </p>
        {comparison.isNow || isTooLarge ? null : (
          <Form method="post" preventScrollReset className="version-restore">
            <input type="hidden" name="versionId" value={version.id} />
            <SubmitButton intent="version.restore" doing="Restoring…">
              Restore this version
            </SubmitButton>
            <span className="muted">
              What the page says now stays in the list.
              {page.publish === 'published' ? ' Readers see the restored version within seconds.' : ''}
            </span>
          </Form>
        )}
      </div>
    </div>
  )
}

function Blocks({
  type,
  blocks,
  standings,
}: {
  type: string
  blocks: EditorBlock[]
  standings: Record<string, PartStatus>
}) {
  if (!blocks.length) return <p className="muted">There was nothing on the page.</p>
  const mark = (block: EditorBlock) => {
    const state = standings[block.id]
    return state === 'changed' ? (
      <p className="badge is-warning">Differs from now</p>
    ) : state === 'gone' ? (
      <p className="badge is-info">Not on the page now</p>
    ) : null
  }
  if (type === 'dashboard')
    return (
      <Board blocks={blocks}>
        {(block) => (
          <div className="dash-body">
            {mark(block)}
            <ReadBlock block={block} />
          </div>
        )}
      </Board>
    )
  return (
    <div className="story-blocks">
      {blocks.map((block) => (
        <div key={block.id}>
          {mark(block)}
          <ReadBlock block={block} />
        </div>
      ))}
    </div>
  )
}
