import { Form, Link } from '@remix-run/react'
import { useState, type ReactNode } from 'react'
import { HiddenFromReaders, type HiddenParts } from './hidden-from-readers.tsx'
import type { Finding } from '#functions/shapes/page-checklist.ts'
import { ChoicesField } from '../choices-field.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import {
  PublishBadge,
  VisibilityBadge,
  visibilityLevels,
  type Visibility,
} from '#app/components/list/badges.tsx'

export interface PublishPanelProps {
  page: { type?: string; publish: 'draft' | 'published'; visibility: Visibility; version: number }
  isHub: boolean
  mayPublish: boolean
  /** The public URL; null without one. */
  hubUrl: string | null
  previewUrl: string | null
  readUrl: string
  /** The number of contents with unsaved changes. */
  unsaved: number
  onSaveAll(): void
  /** Accessibility findings. */
  findings: readonly Finding[]
  /** Non-public parts; null for none. */
  hidden: HiddenParts | null
  /** The visibility chosen in the rejected form. */
  submittedVisibility?: Visibility
}

/** The publish panel: unsaved changes, current visibility, and publishing. */
export function PublishPanel(props: PublishPanelProps) {
  const {
    page,
    isHub,
    mayPublish,
    hubUrl,
    previewUrl,
    readUrl,
    unsaved,
    onSaveAll,
    findings,
    hidden,
    submittedVisibility,
  } = props
  const isHeld = findings.some(({ isBlocking }) => isBlocking)
  return (
    <aside className="editor-panel" aria-label="Publishing">
      <div className="card">
        <div className="card-body stack">
          <p className="row">
            <PublishBadge publish={page.publish} />
            <VisibilityBadge visibility={page.visibility} />
          </p>
          <p className="muted" role="status">
            {unsaved === 0
              ? 'Everything is saved.'
              : unsaved === 1
                ? 'One part is not saved yet.'
                : `${unsaved} parts are not saved yet.`}
            {page.publish === 'draft' && unsaved > 0 ? ' It is saved as you go.' : ''}
          </p>
          <button
            type="button"
            className="button needs-scripts"
            aria-disabled={unsaved === 0 || undefined}
            onClick={onSaveAll}
          >
            Save all <kbd className="kbd">Ctrl S</kbd>
          </button>
          {mayPublish ? (
            <PublishForm
              key={`${page.publish} ${page.visibility} ${submittedVisibility}`}
              submittedVisibility={submittedVisibility}
              page={page}
              isHeld={isHeld}
              hidden={hidden}
            />
          ) : null}
          <p className="muted">{sentence(page, isHub)}</p>
          <Checklist findings={findings} />
        </div>
        <div className="card-foot">
          {hubUrl ? <a href={hubUrl}>On the hub</a> : null}
          {previewUrl ? <a href={previewUrl}>Preview</a> : null}
          <Link to="?version=newest">Versions</Link>
          <Link to={readUrl}>Done</Link>
        </div>
      </div>
    </aside>
  )
}

/**
 * The choice of visibility, and the publish buttons. Drafts default to public; private ones stay private until someone chooses
 * otherwise. With non-public parts there is a button for each way to handle them. Unpublishing is possible whatever the checklist
 * says.
 */
function PublishForm({
  page,
  isHeld,
  hidden,
  submittedVisibility,
}: Pick<PublishPanelProps, 'page' | 'hidden' | 'submittedVisibility'> & { isHeld: boolean }) {
  const { publish, visibility, version } = page
  const isPublished = publish === 'published'
  const first = submittedVisibility ?? (isPublished || visibility === 'private' ? visibility : 'public')
  const [readers, setReaders] = useState<string>(first)
  const isPartial = hidden !== null && readers === 'public'
  return (
    <Form
      method="post"
      className="stack"
      preventScrollReset
      onChange={({ target }) => {
        if (target instanceof HTMLInputElement && target.name === 'visibility') setReaders(target.value)
      }}
    >
      <input type="hidden" name="version" value={version} />
      <ChoicesField legend="Who reads it" name="visibility" options={visibilityLevels} value={first} />
      {hidden ? <HiddenFromReaders {...hidden} /> : null}
      {isPartial ? (
        <>
          {hidden.whyNot === null ? (
            <Publish intent="publish.makePublic" isMain={!isPublished} isHeld={isHeld && !isPublished}>
              Make these public and {isPublished ? 'save' : 'publish'}
            </Publish>
          ) : null}
          <Publish intent="publish.leaveOut" isHeld={isHeld && !isPublished}>
            {isPublished ? 'Save' : 'Publish'} without them
          </Publish>
        </>
      ) : (
        <Publish intent="publish" isMain={!isPublished} isHeld={isHeld && !isPublished}>
          {isPublished ? 'Save who reads it' : 'Publish'}
        </Publish>
      )}
      {isPublished ? (
        <SubmitButton intent="unpublish" className="button is-wide" doing="Unpublishing…">
          Unpublish
        </SubmitButton>
      ) : null}
    </Form>
  )
}

function Publish({
  intent,
  isMain = false,
  isHeld,
  children,
}: {
  intent: string
  isMain?: boolean
  isHeld: boolean
  children: ReactNode
}) {
  return (
    <button
      className={isMain ? 'button is-primary is-wide' : 'button is-wide'}
      name="intent"
      value={intent}
      disabled={isHeld}
      aria-describedby={isHeld ? 'checklist' : undefined}
    >
      {children}
    </button>
  )
}

/** The checklist before publishing; blocking findings come first and are marked. */
function Checklist({ findings }: { findings: readonly Finding[] }) {
  const sorted = [...findings].sort((a, b) => Number(b.isBlocking) - Number(a.isBlocking))
  return (
    <section className="stack" aria-labelledby="checklist-title" id="checklist">
      <h2 id="checklist-title" className="checklist-title">
        For all readers
      </h2>
      {sorted.length ? (
        <ul className="checklist">
          {sorted.map(({ contentId, message, isBlocking }, i) => (
            <li key={i} data-blocking={isBlocking || undefined}>
              {isBlocking ? <span className="badge is-danger">Before publishing</span> : null}{' '}
              {contentId ? <a href={`#block-${contentId}`}>{message}</a> : message}
            </li>
          ))}
        </ul>
      ) : (
        <p className="muted">No problems found.</p>
      )}
    </section>
  )
}

function sentence({ type, publish, visibility }: PublishPanelProps['page'], isHub: boolean): string {
  const isDashboard = type === 'dashboard'
  if (publish === 'draft')
    return isHub && !isDashboard
      ? 'A draft is for the people of your organization. What everyone may read stands on the hub.'
      : 'A draft is for the people of your organization.'
  if (visibility === 'private') return 'Published for you and admins only.'
  if (visibility === 'place') return 'Published for the people of your organization.'
  if (isDashboard) return 'Published: programs can read it. Hubs show stories and pages only.'
  return isHub
    ? 'Published. The hub shows it within seconds.'
    : 'Published. Everyone with the address can read it.'
}
