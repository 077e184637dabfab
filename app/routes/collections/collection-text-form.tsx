import { EditForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { RichField } from '#app/components/form/rich-field.tsx'

export interface CollectionTextFormProps {
  /** `version` is null for a new text. */
  saved: { id?: string; title: string; html: string; version: number | null }
  /** The collection, to return to. */
  collection: { id: string; name: string }
}

export const textNames = ['title', 'html'] as const

/** The editor of a collection's text, with a warning before unsaved changes are lost. */
export function CollectionTextForm({ saved, collection }: CollectionTextFormProps) {
  const isNew = saved.version === null
  return (
    <EditForm
      thing={`text/${saved.id ?? `new in ${collection.id}`}`}
      title={saved.title || `A text of ${collection.name}`}
      version={saved.version}
      className="form is-wide"
      preventScrollReset
      names={textNames}
      saved={saved}
      save={{
        intent: isNew ? 'create' : 'save',
        label: isNew ? 'Add the text' : 'Save',
        doing: 'Saving…',
      }}
      cancel={{ to: `/collections/${collection.id}`, label: isNew ? 'Cancel' : `Back to ${collection.name}` }}
    >
      <TextField label="Title" name="title" required maxLength={200} autoFocus={isNew} />
      <RichField label="Text" name="html" />
    </EditForm>
  )
}
