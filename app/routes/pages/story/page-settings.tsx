import { Form } from '@remix-run/react'
import { SaveState } from './save-state.tsx'
import { useSaving } from './use-saving.ts'

export interface PageSettingsProps {
  page: { title: string; description: string; author: string; version: number }
  /** What was sent when a form without scripts was refused. */
  formValues: Record<string, string> | undefined
}

/** The title of a page, what it says in one sentence and who wrote it, written where they will be read. */
export function PageSettings({ page, formValues }: PageSettingsProps) {
  const { title, description, author, version } = page
  const saving = useSaving({
    id: 'page',
    saved: { title, description, author },
    version,
    intent: 'page.save',
  })
  const { draft, refused } = saving
  const error = (name: string) => refused?.issues.find((issue) => issue.path.join('.') === name)?.message
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
      <AuthorField {...{ saving, formValues }} error={error('author')} />
      <SaveState
        saving={saving}
        intent="page.save"
        names={['title', 'description', 'author']}
        showTexts={(texts) => (
          <>
            <p>
              <b>{texts.title}</b>
            </p>
            <p>{texts.description}</p>
            <p>{texts.author}</p>
          </>
        )}
      />
    </Form>
  )
}

/** Who wrote the page, in one line below what it says. */
function AuthorField({
  saving,
  formValues,
  error,
}: {
  saving: ReturnType<typeof useSaving>
  formValues: Record<string, string> | undefined
  error: string | undefined
}) {
  return (
    <>
      <input
        type="text"
        className="description-input"
        name="author"
        aria-label="Author"
        placeholder="Author (the publisher, where nobody is named)"
        maxLength={200}
        autoComplete="off"
        {...(formValues
          ? { defaultValue: formValues.author }
          : {
              value: saving.draft.author ?? '',
              onChange: (event) => saving.change({ author: event.target.value }),
            })}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'author-error' : undefined}
      />
      {error ? (
        <p className="field-error" id="author-error">
          {error}
        </p>
      ) : null}
    </>
  )
}
