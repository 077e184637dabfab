import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { EditForm } from '#app/components/form/edit-form.tsx'
import { CheckField, SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors, type FormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { OrgTabs } from '#app/components/org/org-tabs.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { customKinds, type CustomField, type CustomKind } from '#functions/shapes/custom-field.ts'
import { changeFields, fieldsScreen } from './fields.server.ts'

/** The custom metadata fields of the organization's sources. */
export const loader = fieldsScreen

export const action = changeFields

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle('Fields of sources')

const kindNames: Record<CustomKind, string> = {
  text: 'A line of text',
  longText: 'A longer text',
  date: 'A day',
  number: 'A number',
  url: 'A web address',
  email: 'An email address',
  choice: 'One of a list',
}

const done = {
  add: 'The field was added. Fill it in in the settings of a source.',
  save: 'Saved. The hub follows within seconds.',
  remove: 'Removed. What sources say in it is kept, and hidden.',
  bringBack: 'It is back, with all that sources say in it.',
}

const inputs = ['title', 'key', 'notes', 'kind', 'choices', 'seenBy', 'required']

/** Issues of a field in the list are shown in its form. */
const moveFieldIssues = (errors: FormErrors): FormErrors => ({
  ...errors,
  issues: errors.issues.map((issue) => {
    const [first, , name] = issue.path
    return first === 'fields' && typeof name === 'string' ? { ...issue, path: [name] } : issue
  }),
})

export default function Fields() {
  const { version, fields, removed, isFull } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  useToast(outcome?.ok ? { ...outcome, intent: outcome.done ?? '' } : outcome, done)
  const isOfRow =
    outcome && !outcome.ok && /^(?:up|down|remove|bringBack)\./.test(outcome.formValues.intent ?? '')
  return (
    <Screen
      title="Fields of sources"
      crumbs={[{ label: 'Manage organization', to: '/org/manage' }]}
      sub="What your organization says of its data beyond what every source says: how it is collected, who looks after it, which district it is of."
    >
      <OrgTabs />
      {isOfRow ? <FormError errors={readFormErrors(outcome)} names={[]} /> : null}
      <div className="settings">
        <section aria-labelledby="there">
          <h2 id="there">Fields</h2>
          {fields.length ? (
            <ul className="list">
              {fields.map((field, i) => (
                <FieldItem
                  key={field.key}
                  {...{ field, version }}
                  isFirst={i === 0}
                  isLast={i === fields.length - 1}
                />
              ))}
            </ul>
          ) : (
            <EmptyState
              level={3}
              title="No fields of your own yet"
              text="Sources already have a description, a licence, a contact, tags and how often they change."
            />
          )}
        </section>
        {removed.length ? <Removed {...{ removed, version }} /> : null}
        <section aria-labelledby="new">
          <h2 id="new">Another field</h2>
          {isFull ? (
            <p className="muted">There are as many as there can be. Remove one first.</p>
          ) : (
            <EditForm
              key={version}
              thing="customField/new"
              title="A new field"
              isRepeated={false}
              preventScrollReset
              names={inputs}
              saved={{ kind: 'text', seenBy: 'place' }}
              version={version}
              place={moveFieldIssues}
              save={{ intent: 'add', label: 'Add the field', doing: 'Adding…' }}
            >
              <FieldInputs />
              <TextField
                label="Key"
                name="key"
                hint="What programs call it. Empty: made of the title. It cannot be changed later."
                maxLength={40}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            </EditForm>
          )}
        </section>
      </div>
    </Screen>
  )
}

/** The inputs of a field, for new and existing ones. */
function FieldInputs({ required = false }: { required?: boolean }) {
  return (
    <>
      <div className="field-row">
        <TextField
          label="Title"
          name="title"
          required
          maxLength={100}
          hint="Readers see it beside the value."
        />
        <SelectField
          label="What it holds"
          name="kind"
          options={customKinds.map((value) => ({ value, label: kindNames[value] }))}
        />
      </div>
      <TextField label="What to write there" name="notes" maxLength={500} hint="For who fills it in." />
      <TextArea label="The list to choose from" name="choices" hint="One a line. Only for one of a list." />
      <SelectField
        label="Who sees it"
        name="seenBy"
        options={[
          { value: 'place', label: 'Only your organization' },
          { value: 'everyone', label: 'Everyone: on the hub, in catalogues and for programs' },
        ]}
      />
      <CheckField
        label="Required"
        name="required"
        defaultChecked={required}
        hint="A source is not completely described without it."
      />
    </>
  )
}

interface FieldItemProps {
  field: CustomField
  version: number
  isFirst: boolean
  isLast: boolean
}

/** The number of sources with a value in a field. */
const valuesWords = (count = 0) =>
  count === 0 ? 'No source says it yet' : count === 1 ? 'One source says it' : `${count} sources say it`

/** A field with its number of values, its form, and its position. */
function FieldItem({ field, version, isFirst, isLast }: FieldItemProps) {
  const { key, title, kind, choices, isPublic, required, values = 0 } = field
  const saved = { ...field, choices: choices.join('\n'), seenBy: isPublic ? 'everyone' : 'place' }
  return (
    <li className="list-item">
      <div className="list-main stack">
        <div>
          <p className="list-title">{title}</p>
          <p className="list-note">
            <code>{key}</code> · {kindNames[kind]} ·{' '}
            {isPublic ? 'everyone sees it' : 'only your organization sees it'}
            {required ? ' · required' : ''} · {valuesWords(values)}
          </p>
        </div>
        <details>
          <summary>
            Change<span className="sr-only"> {title}</span>
          </summary>
          <EditForm
            key={version}
            thing={`customField/${key}`}
            title={title}
            asks={false}
            preventScrollReset
            names={inputs}
            saved={saved}
            version={version}
            place={moveFieldIssues}
            save={{ intent: `save.${key}`, label: 'Save', doing: 'Saving…' }}
          >
            <FieldInputs required={required} />
          </EditForm>
        </details>
      </div>
      <Form method="post" className="list-actions" preventScrollReset>
        <input type="hidden" name="version" value={version} />
        {isFirst ? null : (
          <SubmitButton intent={`up.${key}`} className="button is-small is-quiet">
            Up<span className="sr-only">: {title}</span>
          </SubmitButton>
        )}
        {isLast ? null : (
          <SubmitButton intent={`down.${key}`} className="button is-small is-quiet">
            Down<span className="sr-only">: {title}</span>
          </SubmitButton>
        )}
        <ConfirmButton
          intent={`remove.${key}`}
          question={`Remove ${title}?`}
          text={
            values === 0
              ? 'No source says anything in it.'
              : `${valuesWords(values)}. That is hidden everywhere, and kept: bring the field back, and it is there again.`
          }
          answer="Remove"
        >
          Remove<span className="sr-only"> {title}</span>
        </ConfirmButton>
      </Form>
    </li>
  )
}

/** Removed fields that still have values, each with a restore button. */
function Removed({ removed, version }: { removed: CustomField[]; version: number }) {
  return (
    <section aria-labelledby="removed">
      <h2 id="removed">Removed</h2>
      <ul className="list">
        {removed.map(({ key, title, values }) => (
          <li key={key} className="list-item">
            <div className="list-main">
              <p className="list-title">{title}</p>
              <p className="list-note">
                <code>{key}</code> · {valuesWords(values)}, hidden
              </p>
            </div>
            <Form method="post" className="list-actions" preventScrollReset>
              <input type="hidden" name="version" value={version} />
              <SubmitButton intent={`bringBack.${key}`} className="button is-small">
                Bring back<span className="sr-only"> {title}</span>
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  )
}
