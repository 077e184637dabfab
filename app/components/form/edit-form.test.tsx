import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { toSubmittedForm } from './edit-form.tsx'
import { SelectField, TextArea, TextField } from './field.tsx'
import { FormFields, type FieldSource } from './form-fields.ts'
import { RichField } from './rich-field.tsx'

const conflict = {
  ok: false as const,
  message: 'Changed meanwhile',
  issues: [{ path: ['version'], message: 'Changed meanwhile' }],
}
const unnamed = {
  ok: false as const,
  message: 'Validation Error',
  issues: [{ path: ['name'], message: 'Required' }],
}

const renderFields = (source: FieldSource) =>
  renderToStaticMarkup(
    <FormFields.Provider value={source}>
      <TextField label="Name" name="name" />
      <TextField label="Password" name="password" type="password" />
      <TextArea label="Notes" name="notes" />
      <SelectField
        label="Seen by"
        name="visibility"
        options={[
          { value: 'place', label: 'The organization' },
          { value: 'public', label: 'Everyone' },
        ]}
      />
      <RichField label="Text" name="html" />
    </FormFields.Provider>,
  )

const saved = { name: 'Trees', notes: 'Of streets\nand parks', visibility: 'public', html: '<p>Saved</p>' }

test('fields show saved values, and after an error the submitted values with their issues', () => {
  const first = renderFields({ saved })
  expect(first).toMatch(/name="name" value="Trees"/)
  expect(first).toContain('Of streets\nand parks</textarea>')
  expect(first).toMatch(/<option value="public" selected="">/)
  expect(first).not.toContain('aria-invalid')
  const htmlWithErrors = renderFields({ saved, formValues: { name: '', notes: 'Mine' }, errors: unnamed })
  expect(htmlWithErrors).toMatch(/name="name" aria-invalid="true" aria-describedby="([^"]+)-error" value=""/)
  expect(htmlWithErrors).toContain('Required')
  expect(htmlWithErrors).toContain('Mine</textarea>')
})

test('a password is never put into a page', () => {
  expect(renderFields({ saved: { password: 'hunter2' }, formValues: { password: 'hunter2' } })).not.toContain(
    'hunter2',
  )
})

test('after a version conflict fields keep the typed values and show the saved ones below', () => {
  const formValues = {
    ...{ name: 'Trees of the city', notes: 'Of streets\r\nand parks', visibility: 'place' },
    html: '<p>Mine</p>',
  }
  const both = renderFields({ saved, formValues, errors: conflict })
  expect(both).toMatch(/value="Trees of the city"/)
  expect(both).toContain('Saved meanwhile: <b>Trees</b>')
  expect(both).toContain('Saved meanwhile: <b>Everyone</b>')
  expect(both).toContain('<p>Mine</p>')
  expect(both).toMatch(/Saved meanwhile: <div[^>]*><p>Saved<\/p>/)
  // The notes are equal: forms only submit other line endings.
  expect(both.match(/Saved meanwhile/g)).toHaveLength(3)
  expect(renderFields({ saved, formValues, errors: unnamed })).not.toContain('Saved meanwhile')
})

test('errors belong to the form whose button was pressed', () => {
  const refusal = { ...unnamed, intent: 'theme', formValues: { name: '' } }
  expect(toSubmittedForm(refusal, ['names'])).toEqual({ errors: undefined, formValues: undefined })
  expect(toSubmittedForm(refusal, ['theme'])).toMatchObject({ errors: unnamed, formValues: { name: '' } })
  // Failures in the browser have the intent among the submitted values; one without it belongs to the only form.
  expect(toSubmittedForm({ ...unnamed, formValues: { intent: 'theme' } }, ['names']).errors).toBeUndefined()
  expect(toSubmittedForm(unnamed, ['names']).errors).toMatchObject(unnamed)
  expect(toSubmittedForm({ ok: true, intent: 'names' }, ['names']).errors).toBeUndefined()
})
