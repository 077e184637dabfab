import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { useId, useRef } from 'react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { issueAt, readFormErrors, type FormErrors } from '#app/components/form/issues.ts'
import { useErrorFocus } from '#app/components/form/use-error-focus.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { pickNounForm } from '#app/components/list/list-query.ts'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { longestTag } from '#functions/shapes/tags.ts'
import type { TaggedNoun } from '#functions/shapes/tag-use.ts'
import { tagsAction, tagsScreen } from './tags.server.ts'

/** The tags of the organization: the uses of each, and a form to rename or remove it. */
export const loader = tagsScreen

export const action = tagsAction

export const meta = placeTitle('Tags')

const lists: [TaggedNoun, string, string][] = [
  ['source', 'sources', '/sources'],
  ['insight', 'insights', '/collections/inventory'],
  ['collection', 'collections', '/collections'],
  ['page', 'pages', '/pages'],
]

export default function Tags() {
  const { tags } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  // An invalid name is reported in the row of its tag.
  const isOfRow = outcome?.ok === false && 'tag' in outcome && tags.some(({ name }) => name === outcome.tag)
  return (
    <Screen
      isStack
      title="Tags"
      sub="Words that sources, insights, collections and pages are found by. The hub shows those of sources to its readers."
    >
      {isOfRow ? null : <ActionError />}
      {outcome?.ok ? (
        <Form method="post" className="publish-line" preventScrollReset>
          <p role="status">
            {outcome.done} {pickNounForm(outcome.done, 'things')}{' '}
            {outcome.intent === 'undo' ? 'as before.' : 'changed.'}
            {outcome.refused.length ? ` Not all could be: ${outcome.refused.join(' ')}` : ''}
            {outcome.isLeft ? ' There may be more with this tag: do the same once more.' : ''}
          </p>
          {outcome.undo === null ? null : (
            <>
              <input type="hidden" name="steps" value={outcome.undo} />
              <SubmitButton intent="undo" className="button" doing="Undoing…">
                Undo
              </SubmitButton>
            </>
          )}
        </Form>
      ) : null}
      {tags.length ? (
        <ul className="list">
          {tags.map((tag) => (
            <TagRow
              key={tag.name}
              tag={tag}
              errors={isOfRow && outcome.tag === tag.name ? readFormErrors(outcome) : undefined}
            />
          ))}
        </ul>
      ) : (
        <EmptyState
          title="No tags yet"
          text="Tags are given in the settings of a source, insight or collection, in the editor of a page, or to several in a list at once."
        />
      )}
    </Screen>
  )
}

type Tag = ReturnType<typeof useLoaderData<typeof loader>>['tags'][number]

/** A tag with links to its uses, and its form. `errors`: the errors of the submitted name. */
function TagRow({ tag, errors }: { tag: Tag; errors: FormErrors | undefined }) {
  const { name, isMixed, mayRename } = tag
  const input = useRef<HTMLInputElement>(null)
  useErrorFocus(input, errors)
  const problem = issueAt(errors, 'name')
  const problemId = useId()
  return (
    <li className="list-item">
      <div className="list-main list-plain">
        <p className="list-title">{name}</p>
        <p className="list-note">
          {lists
            .filter(([noun]) => tag[noun] > 0)
            .map(([noun, plural, to], i) => (
              <span key={noun}>
                {i ? ', ' : ''}
                <Link to={`${to}?tag=${encodeURIComponent(name)}`}>
                  {tag[noun]} {pickNounForm(tag[noun], plural)}
                </Link>
              </span>
            ))}
          {isMixed ? ', written with different capitals' : ''}
        </p>
      </div>
      {mayRename ? (
        <Form method="post" className="list-actions" preventScrollReset>
          <input type="hidden" name="tag" value={name} />
          <input
            ref={input}
            name="name"
            aria-invalid={problem !== undefined || undefined}
            aria-describedby={problem === undefined ? undefined : problemId}
            aria-label={`New name of ${name}; the name of another tag makes one of both`}
            defaultValue={name}
            maxLength={longestTag}
          />
          <SubmitButton intent="rename" className="button is-small" doing="Renaming…">
            Rename
          </SubmitButton>
          <ConfirmButton
            intent="remove"
            className="button is-small"
            question={`Take the tag ${name} from everything?`}
            text="What has it stays as it is otherwise. Afterwards you can undo it, as long as you stay on this screen."
            answer="Take it away"
          >
            Remove
          </ConfirmButton>
          {problem === undefined ? null : (
            <p className="field-error" id={problemId} role="alert">
              {problem}
            </p>
          )}
        </Form>
      ) : null}
    </li>
  )
}
