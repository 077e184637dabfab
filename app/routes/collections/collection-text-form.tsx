import { Link } from '@remix-run/react'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'
import { RichField } from '#app/components/form/rich-field.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { KeptForm } from '#app/components/form/kept-form.tsx'

export interface CollectionTextFormProps {
  /** `version` is null where it is to be made. */
  saved: { id?: string; title: string; html: string; version: number | null }
  /** What was sent when it was refused. */
  given: Record<string, string> | undefined
  refused: RefusedForm | undefined
  /** The collection, to which it leads back. */
  collection: { id: string; name: string }
}

/** Where a text of a collection is written, as it will be read. Unsaved words are not left behind unasked. */
export function CollectionTextForm({ saved, given, refused, collection }: CollectionTextFormProps) {
  const isNew = saved.version === null
  return (
    <KeptForm
      thing={`text/${saved.id ?? `new in ${collection.id}`}`}
      title={saved.title || `A text of ${collection.name}`}
      version={saved.version}
      className="form is-wide"
      preventScrollReset
    >
      {isNew ? null : <input type="hidden" name="version" value={saved.version ?? ''} />}
      <FormError refused={refused} names={['title', 'html']} />
      <TextField
        label="Title"
        name="title"
        required
        maxLength={200}
        autoFocus={isNew}
        defaultValue={given?.title ?? saved.title}
        refused={refused}
      />
      <RichField label="Text" name="html" html={given?.html ?? saved.html} refused={refused} />
      <div className="form-actions">
        <SubmitButton intent={isNew ? 'create' : 'save'} doing="Saving…">
          {isNew ? 'Add the text' : 'Save'}
        </SubmitButton>
        <Link className="button" to={`/collections/${collection.id}`}>
          {isNew ? 'Cancel' : `Back to ${collection.name}`}
        </Link>
      </div>
    </KeptForm>
  )
}
