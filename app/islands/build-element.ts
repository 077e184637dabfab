/** Creates an element with properties and children. Strings become text nodes, never markup. */
export function buildElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties)
  for (const child of children)
    element.appendChild(typeof child === 'string' ? document.createTextNode(child) : child)
  return element
}
