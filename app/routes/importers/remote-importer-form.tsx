import { EditForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import { parserOfUrl } from '#app/components/importer/parser-guess.ts'
import { RemoteFields } from '#app/components/importer/remote-fields.tsx'
import { emptySource, sourceInputsIn, type ShownSource } from '#app/components/importer/remote-source.ts'

export interface RemoteImporterFormProps {
  /** The tried URL that requires more; '' without one. */
  address: string
  /** The submitted values after an error. */
  formValues: Record<string, string>
  submittedSources: ShownSource[] | undefined
  errors: FormErrors | undefined
}

/** Creates an importer with sources that require more than a URL. By POST, as secrets must not be in URLs. */
export function RemoteImporterForm({
  address,
  formValues,
  submittedSources,
  errors,
}: RemoteImporterFormProps) {
  const first = { ...emptySource('0'), url: address, parser: parserOfUrl(address) }
  return (
    <details className="disclosure" id="request" open={address !== '' || submittedSources !== undefined}>
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
        <RemoteFields sources={submittedSources ?? [first]} errors={errors} isOpen />
      </EditForm>
    </details>
  )
}
