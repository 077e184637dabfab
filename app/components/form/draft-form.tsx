import { Form, useActionData, useNavigation, type FormProps } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { putTexts, textsIn } from '#app/client/drafts/storable-inputs.ts'
import { isSameTexts, type Draft, type Texts } from '#app/client/drafts/drafts.ts'
import { failureIn, type FailedSave } from '#app/client/drafts/client-handlers.ts'
import { useDraft } from '#app/client/drafts/use-draft.ts'
import { useRetry } from '#app/client/drafts/use-retry.ts'
import { DraftStatus, StaleLine } from './draft-status.tsx'
import { DraftOffer } from './draft-offer.tsx'
import { FormChanged, KeepsWords } from './draft-field.tsx'
import { LeaveDialog } from './leave-dialog.tsx'

export interface DraftFormProps extends Omit<FormProps, 'method'> {
  /** Kind and id of what is edited: `collection/abc`; `collection/new` for a new one. */
  thing: string
  /** The label in the list of drafts. */
  title: string
  /** The edited version; null for a new thing, which is not retried automatically, as it might be created twice. */
  version?: number | null
  children: ReactNode
  /** Whether a retry is safe; it is with a version. */
  isRepeated?: boolean
  /** Whether leaving with unsaved changes asks first. Only one form of a screen should. */
  asks?: boolean
  /** Called when the form gets or loses unsaved changes. */
  onUnsaved?(isUnsaved: boolean): void
}

/**
 * A form whose input survives: stored as a draft while typing, offered when the form is opened again, retried when a save failed. Its
 * route exports `clientAction`, `clientLoader` and `shouldRevalidate` of `client/drafts`.
 */
export function DraftForm({
  thing,
  title,
  version = null,
  children,
  asks = true,
  isRepeated: mayRepeat = version !== null,
  onUnsaved,
  onSubmit,
  ...form
}: DraftFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const touch = useRef(() => {})
  const sending = useSending(element, touch)
  const { isUnsaved, isBusy, failure, markChanged, submitter } = sending
  const read = useCallback(() => (element.current ? textsIn(element.current) : {}), [])
  const draft = useDraft({ thing, field: '', title, version, isDirty: isUnsaved, read })
  touch.current = draft.touch
  const { name, offeredDraft } = draft
  useOthers(name, sending.forget)
  const [saved, setSaved] = useState<Texts>({})
  const isTouched = useRef(isUnsaved)
  isTouched.current ||= isUnsaved
  const { decline } = draft
  const settle = useRef(decline)
  settle.current = decline
  useEffect(() => {
    if (!offeredDraft) return
    setSaved(read())
    // Lazily loaded editors set their values a moment later.
    const timer = setTimeout(() => {
      if (isTouched.current) return
      if (isSameTexts(offeredDraft.texts, read())) settle.current()
      else setSaved(read())
    }, 1000)
    return () => clearTimeout(timer)
  }, [offeredDraft, read])
  useEffect(() => onUnsaved?.(isUnsaved), [isUnsaved, onUnsaved])
  const submitAgain = () => {
    const button = submitter.current
    element.current?.requestSubmit(button?.isConnected ? button : null)
  }
  // New things might be created twice, and newer input differs from what was submitted: these are not retried automatically.
  const isRepeated = mayRepeat && !sending.isChangedSince
  const { seconds } = useRetry(isRepeated ? failure : null, isBusy, submitAgain)
  return (
    <FormChanged.Provider value={markChanged}>
      {offeredDraft ? (
        <FormOffer
          {...{ draft: offeredDraft, saved, version }}
          isNew={!mayRepeat}
          form={element.current}
          onUse={() => {
            if (element.current) putTexts(element.current, offeredDraft.texts)
            draft.accept()
            markChanged()
          }}
          onDecline={draft.decline}
        />
      ) : null}
      <Form
        {...form}
        method="post"
        ref={element}
        onSubmit={(event) => {
          draft.flush()
          sending.markSent((event.nativeEvent as SubmitEvent).submitter)
          onSubmit?.(event)
        }}
      >
        {name ? <input type="hidden" name="kept" value={name} /> : null}
        <KeepsWords.Provider value>{children}</KeepsWords.Provider>
        <DraftStatus failure={failure} outcome={draft.outcome} seconds={seconds} onTry={submitAgain} />
        <StaleLine />
      </Form>
      {asks ? <LeaveDialog isUnsaved={isUnsaved} isKept={name !== '' && draft.outcome === 'kept'} /> : null}
    </FormChanged.Provider>
  )
}

/** Whether a form has unsaved changes, and the outcome of its submission. */
function useSending(form: RefObject<HTMLFormElement>, touch: RefObject<() => void>) {
  const [isChanged, setChanged] = useState(false)
  const [changedAt, setChangedAt] = useState<FailedSave | null>(null)
  const { state } = useNavigation()
  const outcome: unknown = useActionData()
  const submitter = useRef<HTMLElement | null>(null)
  /** The action result at the time of submission; only a later one belongs to this form. Null: not submitted. */
  const [before, setBefore] = useState<{ outcome: unknown } | null>(null)
  const own = before && outcome !== before.outcome ? outcome : undefined
  const isBusy = state === 'submitting'
  const failure = isBusy ? null : failureIn(own)
  const isRefused = (own as { ok?: boolean } | undefined)?.ok === false
  const last = useRef(failure)
  last.current = failure
  const markChanged = useCallback(() => {
    setChanged(true)
    setChangedAt(last.current)
    touch.current?.()
  }, [touch])
  useEffect(() => {
    if (!isRefused) return
    setChanged(true)
    touch.current?.()
  }, [isRefused, own, touch])
  useEffect(() => {
    const element = form.current
    // Deferred: this listener runs before React's own, and a render in between would reset a controlled input, so that React would miss
    // its first letter.
    const onInput = () => setTimeout(markChanged)
    element?.addEventListener('input', onInput)
    return () => element?.removeEventListener('input', onInput)
  }, [form, markChanged])
  return {
    isUnsaved: isChanged && !isBusy,
    isBusy,
    failure,
    isChangedSince: failure !== null && changedAt === failure,
    markChanged,
    submitter,
    markSent(button: HTMLElement | null) {
      submitter.current = button
      setBefore({ outcome })
      setChanged(false)
    },
    /** Another form of the screen was submitted: the next result is not of this one. */
    forget: useCallback(() => setBefore(null), []),
  }
}

/** Calls `onSent` when another form of the screen is submitted. */
function useOthers(name: string, onSent: () => void) {
  const { formData } = useNavigation()
  const sender = formData?.get('kept') ?? null
  const isSent = formData !== undefined
  useEffect(() => {
    if (isSent && sender !== name) onSent()
  }, [isSent, sender, name, onSent])
}

interface FormOfferProps {
  draft: Draft
  /** The values of the form without the draft. */
  saved: Texts
  version: number | null
  isNew: boolean
  form: HTMLFormElement | null
  onUse(): void
  onDecline(): void
}

/** The differing fields, each with the draft's and the saved value. */
function FormOffer({ draft, saved, form, isNew, ...rest }: FormOfferProps) {
  const { texts } = draft
  const names = Object.keys(texts).filter((name) => (texts[name] ?? '') !== (saved[name] ?? ''))
  const side = (from: Texts) => (
    <dl className="kept-fields">
      {names.map((name) => (
        <div key={name}>
          <dt>{getInputLabel(form, name)}</dt>
          <dd>{toPlainText(from[name] ?? '') || '–'}</dd>
        </div>
      ))}
    </dl>
  )
  return <DraftOffer draft={draft} ownVersion={side(texts)} theirs={isNew ? null : side(saved)} {...rest} />
}

/** The label of an input. */
function getInputLabel(form: HTMLFormElement | null, name: string): string {
  const [base = '', value] = name.split('=')
  const inputs = [...(form?.elements ?? [])] as HTMLInputElement[]
  const input = inputs.find((each) => each.name === base && (value === undefined || each.value === value))
  const label = input?.labels?.[0] ?? input?.closest('.field')?.querySelector('.field-label')
  return label?.textContent?.trim() || base
}

/** Plain text of formatted text; other texts unchanged. */
function toPlainText(text: string): string {
  if (/^[{[]/.test(text)) return formatJson(text)
  if (!/<[a-z][^>]*>/i.test(text)) return text
  const withBreaks = text.replace(/<\/(?:p|h\d|li)>/g, '\n$&')
  return new DOMParser().parseFromString(withBreaks, 'text/html').body.textContent?.trim() ?? ''
}

/** An editor's document as readable text; the text itself if it is no JSON. */
function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
