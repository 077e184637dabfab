/** Whether an attribute's text is an unambiguous number: no grouping, no leading zero, not a code. */
export const isPlainNumber = (text: string): boolean => /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/.test(text)
