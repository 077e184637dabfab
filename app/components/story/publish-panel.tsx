import { Form, Link } from '@remix-run/react'
import { SubmitButton } from '../form/submit-button.tsx'
import { PublishBadge, VisibilityBadge, type Visibility } from '../list/badges.tsx'

export interface PublishPanelProps {
  page: { publish: 'draft' | 'published'; visibility: Visibility; version: number }
  isHub: boolean
  mayPublish: boolean
  /** The public page; null while there is none. */
  hubUrl: string | null
  previewUrl: string | null
  readUrl: string
  /** How many parts have unsaved words. */
  unsaved: number
  onSaveAll(): void
}

/** Beside the editor: what is not saved yet, who reads the page, and the way onto the hub. */
export function PublishPanel(props: PublishPanelProps) {
  const { page, isHub, mayPublish, hubUrl, previewUrl, readUrl, unsaved, onSaveAll } = props
  const isPublic = page.publish === 'published' && page.visibility === 'public'
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
            <Form method="post" preventScrollReset>
              <input type="hidden" name="version" value={page.version} />
              {isPublic ? (
                <SubmitButton intent="unpublish" className="button is-wide" doing="Unpublishing…">
                  Unpublish
                </SubmitButton>
              ) : (
                <SubmitButton intent="publish" className="button is-primary is-wide" doing="Publishing…">
                  Publish
                </SubmitButton>
              )}
            </Form>
          ) : null}
          <p className="muted">{sentence(isPublic, isHub)}</p>
        </div>
        <div className="card-foot">
          {hubUrl ? <a href={hubUrl}>On the hub</a> : null}
          {previewUrl ? <a href={previewUrl}>Preview</a> : null}
          <Link to={readUrl}>Done</Link>
        </div>
      </div>
    </aside>
  )
}

function sentence(isPublic: boolean, isHub: boolean): string {
  if (isPublic)
    return isHub
      ? 'Published. The hub shows it within seconds.'
      : 'Published. Everyone with the address can read it.'
  return isHub
    ? 'Publishing puts it on the hub, where everyone can read it.'
    : 'Publishing lets everyone with the address read it.'
}
