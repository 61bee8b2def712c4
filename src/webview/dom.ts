type Attributes = Readonly<Record<string, string | number>>;
type Child = Node | string;

/** An element of the page. Text is always text: nothing of a model or a person is read as HTML. */
export function element(tag: string, attributes: Attributes, ...children: readonly Child[]): HTMLElement {
  return filled(document.createElement(tag), attributes, children);
}

/** An element of a drawing. */
export function drawn(tag: string, attributes: Attributes, ...children: readonly Child[]): SVGElement {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function filled<Made extends Element>(made: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}
