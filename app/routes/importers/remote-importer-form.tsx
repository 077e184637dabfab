import { EditForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import { parserOfUrl } from '#app/components/importer/parser-guess.ts'
import { RemoteFields } from '#app/components/importer/remote-fields.tsx'
import { emptySource, sourceInputsIn, type ShownSource } from '#app/components/importer/remote-source.ts'

export interface RemoteImporterFormProps {
  /** The address that was tried and asks for more; '' without one. */
  address: string
  /** What was sent when it was refused. */
  formValues: Record<string, string>
  shown: ShownSource[] | undefined
  errors: FormErrors | undefined
}

/** Makes an importer of sources that need more than an address. It goes by POST: a secret may not stand in an address. */
export function RemoteImporterForm({ address, formValues, shown, errors }: RemoteImporterFormProps) {
  const first = { ...emptySource('0'), url: address, parser: parserOfUrl(address) }
  return (
    <details className="disclosure" id="request" open={address !== '' || shown !== undefined}>
      <summary>With headers, parameters, a sign-in or pages</summary>
      <EditForm
        thing="importer/new remote"
        title="A new importer"
        className="stack"
        preventScrollReset
        names={['name', ...sourceInputsIn(errors)]}
        save={{
          intent: 'plain',
          label: 'Make it and choose fields',
          doing: 'Making the importer…',
          className: 'button',
        }}
      >
        <div className="form">
          <TextField
            label="Name of the importer"
            name="name"
            required
            maxLength={200}
            defaultValue={formValues.name}
          />
        </div>
        <RemoteFields sources={shown ?? [first]} errors={errors} isOpen />
      </EditForm>
    </details>
  )
}
