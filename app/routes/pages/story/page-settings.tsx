import { Form } from '@remix-run/react'
import { SaveState } from './save-state.tsx'
import { useSaving } from './use-saving.ts'

export interface PageSettingsProps {
  page: { title: string; description: string; version: number }
  /** What was sent when a form without scripts was refused. */
  formValues: Record<string, string> | undefined
}

/** The title of a page and what it says in one sentence, written where they will be read. */
export function PageSettings({ page, formValues }: PageSettingsProps) {
  const { title, description, version } = page
  const saving = useSaving({ id: 'page', saved: { title, description }, version, intent: 'page.save' })
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
      <SaveState
        saving={saving}
        intent="page.save"
        names={['title', 'description']}
        showTexts={(texts) => (
          <>
            <p>
              <b>{texts.title}</b>
            </p>
            <p>{texts.description}</p>
          </>
        )}
      />
    </Form>
  )
}
