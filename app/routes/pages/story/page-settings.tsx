import { Form } from '@remix-run/react'
import { SaveState } from './save-state.tsx'
import { useSaving } from './use-saving.ts'
import { issueAt } from '#app/components/form/issues.ts'

export interface PageSettingsProps {
  page: { title: string; description: string; author: string; tags: string[]; version: number }
  /** The submitted values after an error without scripts. */
  formValues: Record<string, string> | undefined
}

/** Title, description and author of a page, edited in place; and its tags, which are hidden from readers. */
export function PageSettings({ page, formValues }: PageSettingsProps) {
  const { title, description, author, version } = page
  const tags = page.tags.join(', ')
  const saving = useSaving({
    id: 'page',
    saved: { title, description, author, tags },
    version,
    intent: 'page.save',
  })
  const { draft, errors } = saving
  const error = (name: string) => issueAt(errors, name)
  return (
    <Form
      method="post"
      className="page-settings"
      preventScrollReset
      key={formValues ? 'typed' : 'saved'}
      onSubmit={(event) => {
        event.preventDefault()
        saving.save()
      }}
    >
      <input type="hidden" name="version" value={version} />
      <textarea
        className="title-input"
        name="title"
        aria-label="Title"
        placeholder="Title"
        maxLength={200}
        required
        rows={1}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          saving.save()
        }}
        {...(formValues
          ? { defaultValue: formValues.title }
          : { value: draft.title, onChange: (event) => saving.change({ title: event.target.value }) })}
        aria-invalid={error('title') ? true : undefined}
        aria-describedby={error('title') ? 'title-error' : undefined}
      />
      {error('title') ? (
        <p className="field-error" id="title-error">
          {error('title')}
        </p>
      ) : null}
      <textarea
        className="description-input"
        name="description"
        aria-label="What it says, in one sentence"
        placeholder="What it says, in one sentence"
        maxLength={2000}
        rows={1}
        {...(formValues
          ? { defaultValue: formValues.description }
          : {
              value: draft.description,
              onChange: (event) => saving.change({ description: event.target.value }),
            })}
      />
      <Lines {...{ saving, formValues, error }} />
      <SaveState
        saving={saving}
        intent="page.save"
        names={['title', 'description', 'author', 'tags']}
        showTexts={(texts) => (
          <>
            <p>
              <b>{texts.title}</b>
            </p>
            <p>{texts.description}</p>
            <p>{texts.author}</p>
            <p>{texts.tags}</p>
          </>
        )}
      />
    </Form>
  )
}

interface LinesProps extends Pick<LineFieldProps, 'saving' | 'formValues'> {
  /** The error of a field. */
  error(name: string): string | undefined
}

/** Author and tags of the page. */
function Lines({ saving, formValues, error }: LinesProps) {
  return (
    <>
      <LineField
        {...{ saving, formValues }}
        name="author"
        label="Author"
        placeholder="Author (else the publisher)"
        maxLength={200}
        error={error('author')}
      />
      <LineField
        {...{ saving, formValues }}
        name="tags"
        label="Tags"
        placeholder="Tags, with commas between them"
        hint="To find the page by. Readers of the hub do not see them."
        maxLength={1040}
        error={error('tags')}
      />
    </>
  )
}

interface LineFieldProps {
  saving: ReturnType<typeof useSaving>
  formValues: Record<string, string> | undefined
  name: 'author' | 'tags'
  label: string
  /** Short enough for the narrowest screens, where an input would cut it. */
  placeholder: string
  /** Shown below it. */
  hint?: string
  maxLength: number
  error: string | undefined
}

/** The facts of the page in one line, below the description. */
function LineField({ saving, formValues, name, label, placeholder, hint, maxLength, error }: LineFieldProps) {
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return (
    <>
      <input
        type="text"
        className="description-input"
        name={name}
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        autoComplete="off"
        {...(formValues
          ? { defaultValue: formValues[name] }
          : {
              value: saving.draft[name] ?? '',
              onChange: (event) => saving.change({ [name]: event.target.value }),
            })}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
      {hint ? (
        <p className="field-hint" id={`${name}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p className="field-error" id={`${name}-error`}>
          {error}
        </p>
      ) : null}
    </>
  )
}
