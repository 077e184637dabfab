import type { Texts } from './drafts.ts'

/** Input types that may be stored on the device. An allowlist: passwords, files and hidden fields are not in it. */
const types: ReadonlySet<string> = new Set([
  ...['text', 'search', 'email', 'tel', 'url', 'number', 'range', 'color', 'checkbox', 'radio'],
  ...['date', 'datetime-local', 'month', 'week', 'time', 'textarea', 'select-one', 'select-multiple'],
])
const secretName = /passw|secret|token|authori[sz]ation|credential|api.?key|signature|otp/i
const secretAutocomplete = /password|one-time-code|^cc-/
/** A URL with credentials or a key among its parameters, or an authorization header. */
const secretValue =
  /\/\/[^/?#\s]*:[^/?#\s]*@|[?&][^=&\s]*(?:key|token|secret|signature|password|auth|sig)[^=&\s]*=|\bBearer\s+\S/i
/** Credentials of a basic `Authorization` header: base64 with a capital or a digit, so that ordinary words do not match. */
const secretHeader = /^Basic\s+(?=[a-z]*[A-Z0-9])[A-Za-z0-9+/]{8,}={0,2}$/

/** Whether the value of an input with this name is secret: it is neither stored nor shown again. */
export const isSecretName = (name: string): boolean => secretName.test(name)

const isSecret = (value: string) => secretValue.test(value) || secretHeader.test(value)

export interface Input {
  name: string
  type: string
  value: string
  autocomplete?: string
  /** `isNever`: the input is within `data-never-kept`. `isDocument`: a hidden field has `data-kept`, as it holds typed text. */
  isNever?: boolean
  isDocument?: boolean
}

/** Whether the value of an input may be stored on this device. An allowlist, so that new kinds of inputs are excluded by default. */
export function mayKeep({ name, type, value, autocomplete = '', isNever, isDocument }: Input): boolean {
  if (!name || name === 'intent' || name === 'kept' || isNever) return false
  if (!types.has(type) && !(type === 'hidden' && isDocument)) return false
  return !isSecretName(name) && !secretAutocomplete.test(autocomplete) && !isSecret(value)
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The inputs of a form whose values may be stored. */
function listStorableInputs(form: HTMLFormElement): Field[] {
  const fields = [...form.elements].filter((each) =>
    /^(?:INPUT|TEXTAREA|SELECT)$/.test(each.tagName),
  ) as Field[]
  return fields.filter((each) => mayKeep(toInput(each)))
}

const toInput = (element: Field): Input => ({
  name: element.name,
  type: element.type,
  value: element.value,
  autocomplete: element.autocomplete,
  isNever: element.closest('[data-never-kept]') !== null,
  isDocument: element.hasAttribute('data-kept'),
})

/** The key of a stored value; checkboxes of one name are distinguished by their values. */
const getStorageKey = (element: Field): string =>
  element.type === 'checkbox' ? `${element.name}=${element.value}` : element.name

/** The values of a form, as far as they may be stored. */
export function textsIn(form: HTMLFormElement): Texts {
  const texts: Texts = {}
  for (const element of listStorableInputs(form)) {
    const isBox = element.type === 'checkbox' || element.type === 'radio'
    const isTicked = isBox && (element as HTMLInputElement).checked
    if (element.type === 'radio' && !isTicked) continue
    texts[getStorageKey(element)] =
      element.type === 'checkbox'
        ? isTicked
          ? 'on'
          : ''
        : element instanceof HTMLSelectElement && element.multiple
          ? [...element.selectedOptions].map(({ value }) => value).join('\n')
          : element.value
  }
  return texts
}

/** Event on a hidden field with `data-kept`; its component restores the text in `detail`. */
export const restoring = 'kept:restore'

/** Sets the values of inputs and fires their events, so that React notices the changes. */
export function putTexts(form: HTMLFormElement, texts: Texts): void {
  for (const element of listStorableInputs(form)) {
    const text = texts[getStorageKey(element)]
    if (text === undefined) continue
    if (element.type === 'hidden') element.dispatchEvent(new CustomEvent(restoring, { detail: text }))
    else if (element.type === 'checkbox') {
      if ((element as HTMLInputElement).checked !== (text === 'on')) element.click()
    } else if (element.type === 'radio') {
      if (element.value === text && !(element as HTMLInputElement).checked) element.click()
    } else if (element.value !== text) type(element, text)
  }
}

function type(element: Field, text: string) {
  if (element instanceof HTMLSelectElement && element.multiple) {
    const choices = new Set(text.split('\n'))
    for (const option of element.options) option.selected = choices.has(option.value)
  } else {
    // React overrides the setter on the element; only the prototype's makes it notice the change.
    const prototype = Object.getPrototypeOf(element) as object
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, text)
  }
  element.dispatchEvent(new Event('input', { bubbles: true }))
  element.dispatchEvent(new Event('change', { bubbles: true }))
}
