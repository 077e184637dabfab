import { EditForm } from '#app/components/form/edit-form.tsx'
import { TextArea, TextField } from '#app/components/form/field.tsx'
import { RichField } from '#app/components/form/rich-field.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { RichText } from '#app/components/hub/rich-text.tsx'
import type { PlaceTextRow } from '#functions/shapes/translation.ts'

interface TextLanguage {
  code: string
  name: string
  direction: 'ltr' | 'rtl'
}

export interface TextRowProps {
  text: PlaceTextRow
  own: TextLanguage
  language: TextLanguage
  /** Whether the person's role may change the thing that the text belongs to. */
  mayWrite: boolean
}

/** A text in its own language, beside the form with its translation. */
export function TextRow({ text, own, language, mayWrite }: TextRowProps) {
  const { name, label, kind, original, before, state } = text
  const id = `text-${text.noun}-${text.nounId}-${text.path}`
  return (
    <li className="translation" aria-labelledby={id}>
      <div className="translation-original">
        <h3 id={id}>
          <bdi>{name}</bdi> · {label}{' '}
          {state === 'missing' ? (
            <span className="badge">Not translated</span>
          ) : state === 'stale' ? (
            <span className="badge is-warning">The original has changed</span>
          ) : null}
        </h3>
        <Shown {...{ text: original, kind }} language={own} />
        {before === null ? null : (
          <details>
            <summary>What it was when it was translated</summary>
            <Shown {...{ text: before, kind }} language={own} />
          </details>
        )}
      </div>
      {mayWrite ? (
        <Translation {...{ text, language }} />
      ) : text.text === null ? (
        <p className="muted">Your role may not change what this is of.</p>
      ) : (
        <Shown {...{ text: text.text, kind, language }} />
      )}
    </li>
  )
}

function Shown({
  text,
  kind,
  language,
}: {
  text: string
  kind: PlaceTextRow['kind']
  language: TextLanguage
}) {
  return (
    <div className="translation-text" lang={language.code} dir={language.direction}>
      {kind === 'rich' ? <RichText html={text} /> : text}
    </div>
  )
}

function Translation({ text, language }: Pick<TextRowProps, 'text' | 'language'>) {
  const { noun, nounId, path, kind, most, version, translationId, name, label } = text
  const of = `${noun} ${nounId} ${path}`
  // Sighted readers have the heading instead.
  const ariaLabel = `${name}, ${label}, in ${language.name}`
  const input = { lang: language.code, dir: language.direction, maxLength: most, 'aria-label': ariaLabel }
  return (
    <EditForm
      thing={`translation/${language.code}/${of}`}
      title={`${name} · ${label}`}
      version={version}
      className="form"
      preventScrollReset
      names={['text']}
      saved={{ text: text.text ?? '' }}
      save={{ intent: `save ${of}`, label: 'Save', doing: 'Saving…', className: 'button is-small' }}
      intents={[`remove ${of}`]}
      more={
        translationId ? (
          <SubmitButton intent={`remove ${of}`} doing="Removing…" className="button is-small is-quiet">
            Remove
          </SubmitButton>
        ) : null
      }
    >
      {Object.entries({ noun, nounId, path, language: language.code, id: translationId ?? '' }).map(
        ([key, value]) => (
          <input key={key} type="hidden" name={key} value={value} />
        ),
      )}
      {kind === 'rich' ? (
        <div lang={language.code} dir={language.direction}>
          <RichField label={ariaLabel} name="text" isClosed />
        </div>
      ) : kind === 'line' ? (
        <TextField label={language.name} name="text" {...input} autoComplete="off" />
      ) : (
        <TextArea label={language.name} name="text" rows={computeRowCount(text.original)} {...input} />
      )}
    </EditForm>
  )
}

/** The height of the original, within limits. */
const computeRowCount = (text: string) =>
  Math.min(12, Math.max(2, Math.ceil(text.length / 60) + text.split('\n').length - 1))
