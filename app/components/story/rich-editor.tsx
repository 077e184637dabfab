import { EditorContent, Node, useEditor, useEditorState, type Editor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import {
  Bold,
  Heading2,
  Heading3,
  Italic,
  Link as LinkIcon,
  List,
  ListOrdered,
  Quote,
  Redo2,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import { useContext, useEffect, useLayoutEffect, useRef } from 'react'
import { Toolbar, ToggleButton } from 'react-aria-components'
import { FigureChoicesContext } from './figure-choices.ts'
import { FigurePicker } from './figure-picker.tsx'

export interface RichEditorProps {
  html: string
  /** Incremented when `html` was replaced from outside. */
  generation: number
  label: string
  /** Focuses the end of the text on mount. */
  autoFocus?: boolean
  onChange(html: string): void
}

/** A figure of an insight: an atomic node, moved and deleted as a whole. */
const FigureNode = Node.create({
  ...{ name: 'figureReference', group: 'inline', inline: true, atom: true },
  addAttributes: () => ({
    value: { default: '', parseHTML: (element) => element.getAttribute('value') },
    text: { default: '', parseHTML: (element) => element.textContent },
  }),
  parseHTML: () => [{ tag: 'data[value^="insight:"]' }],
  renderHTML: ({ node: { attrs } }) => ['data', { value: String(attrs.value) }, String(attrs.text)],
  renderText: ({ node: { attrs } }) => String(attrs.text),
})

/** The formatting options: what the server's sanitiser allows. Headings start at level 2. */
const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      autolink: true,
      defaultProtocol: 'https',
      protocols: ['http', 'https', 'mailto', 'tel'],
    },
  }),
  FigureNode,
]

/** The WYSIWYG editor of a text block. Loaded only in browsers, when a page is edited. */
export function RichEditor({ html, generation, label, autoFocus = false, onChange }: RichEditorProps) {
  const onChangeRef = useRef(onChange)
  onChangeRef.current = onChange
  const editor = useEditor({
    extensions,
    content: html,
    editorProps: {
      attributes: {
        class: 'prose rich-text',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
      },
    },
    onUpdate: ({ editor: current }) => onChangeRef.current(current.isEmpty ? '' : current.getHTML()),
  })
  useLayoutEffect(() => {
    if (!autoFocus) return
    // The editor's own `focus` waits for a frame, in which typed text would be lost.
    editor.commands.setTextSelection(editor.state.doc.content.size)
    editor.view.focus()
  }, [editor, autoFocus])
  const lastGeneration = useRef(generation)
  useEffect(() => {
    if (lastGeneration.current === generation) return
    lastGeneration.current = generation
    editor.commands.setContent(html, { emitUpdate: false })
  }, [editor, generation, html])
  return (
    <div className="rich">
      <Tools editor={editor} />
      <EditorContent editor={editor} />
    </div>
  )
}

const tools: { name: string; Icon: LucideIcon; isOn(editor: Editor): boolean; run(editor: Editor): void }[] =
  [
    {
      name: 'Bold',
      Icon: Bold,
      isOn: (e) => e.isActive('bold'),
      run: (e) => e.chain().focus().toggleBold().run(),
    },
    {
      name: 'Italic',
      Icon: Italic,
      isOn: (e) => e.isActive('italic'),
      run: (e) => e.chain().focus().toggleItalic().run(),
    },
    {
      name: 'Heading',
      Icon: Heading2,
      isOn: (e) => e.isActive('heading', { level: 2 }),
      run: (e) => e.chain().focus().toggleHeading({ level: 2 }).run(),
    },
    {
      name: 'Smaller heading',
      Icon: Heading3,
      isOn: (e) => e.isActive('heading', { level: 3 }),
      run: (e) => e.chain().focus().toggleHeading({ level: 3 }).run(),
    },
    {
      name: 'List',
      Icon: List,
      isOn: (e) => e.isActive('bulletList'),
      run: (e) => e.chain().focus().toggleBulletList().run(),
    },
    {
      name: 'Numbered list',
      Icon: ListOrdered,
      isOn: (e) => e.isActive('orderedList'),
      run: (e) => e.chain().focus().toggleOrderedList().run(),
    },
    {
      name: 'Quote',
      Icon: Quote,
      isOn: (e) => e.isActive('blockquote'),
      run: (e) => e.chain().focus().toggleBlockquote().run(),
    },
    { name: 'Link', Icon: LinkIcon, isOn: (e) => e.isActive('link'), run: toggleLink },
    { name: 'Undo', Icon: Undo2, isOn: () => false, run: (e) => e.chain().focus().undo().run() },
    { name: 'Redo', Icon: Redo2, isOn: () => false, run: (e) => e.chain().focus().redo().run() },
  ]

function toggleLink(editor: Editor) {
  if (editor.isActive('link')) return void editor.chain().focus().extendMarkRange('link').unsetLink().run()
  const href = window.prompt('Address of the link', 'https://')?.trim()
  if (!href || href === 'https://') return
  const mark = { href }
  if (editor.state.selection.empty)
    editor
      .chain()
      .focus()
      .insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: mark }] })
      .run()
  else editor.chain().focus().setLink(mark).run()
}

function Tools({ editor }: { editor: Editor }) {
  const choices = useContext(FigureChoicesContext)
  const on = useEditorState({
    editor,
    selector: ({ editor: current }) => tools.map((tool) => tool.isOn(current)),
  })
  return (
    <Toolbar className="rich-tools" aria-label="Format">
      {tools.map(({ name, Icon, run }, i) => (
        <ToggleButton
          key={name}
          className="button is-quiet is-icon is-small"
          aria-label={name}
          isSelected={on[i] ?? false}
          onChange={() => {
            // The editor's own `focus` waits for a frame, in which keys would press this button.
            editor.view.focus()
            run(editor)
          }}
        >
          <Icon size={16} aria-hidden="true" />
        </ToggleButton>
      ))}
      {choices ? (
        <FigurePicker
          {...choices}
          onPick={(attrs) => editor.chain().focus().insertContent({ type: 'figureReference', attrs }).run()}
        />
      ) : null}
    </Toolbar>
  )
}
