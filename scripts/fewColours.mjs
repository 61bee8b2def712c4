// Picks few colours that stand for all of a picture's (median cut): the pictures of the walkthrough take less than half of
// the bytes with 256, and nobody sees the difference.

const channels = [16, 8, 0]; // the bits of red, green, blue in a colour's number

/** A picture's colours, at most `most`, and for each pixel which of them it has. */
export function withFewColours({ width, height, pixels }, most = 256) {
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const boxes = cut([...counts], most);
  const indexOf = new Map(boxes.flatMap((box, index) => box.map(([colour]) => [colour, index])));
  const indices = Buffer.alloc(width * height);
  for (let at = 0; at < indices.length; at += 1) indices[at] = indexOf.get(pixels.readUIntBE(at * 3, 3));
  return { width, height, colours: boxes.map(middle), indices };
}

/** Boxes of colours: the one whose pixels differ most is cut in two, until there are enough. */
function cut(colours, most) {
  const boxes = [measured(colours)];
  while (boxes.length < most) {
    const widest = boxes.reduce((a, b) => (b.spread > a.spread ? b : a));
    if (widest.spread === 0) break;
    boxes.splice(boxes.indexOf(widest), 1, ...halves(widest).map(measured));
  }
  return boxes.map(({ box }) => box);
}

/** How far a box's pixels lie from its middle, in the channel where they lie farthest. */
function measured(box) {
  const pixels = box.reduce((sum, [, count]) => sum + count, 0);
  const spreads = channels.map((shift) => {
    const mean = box.reduce((sum, [colour, count]) => sum + ((colour >> shift) & 255) * count, 0) / pixels;
    return box.reduce((sum, [colour, count]) => sum + (((colour >> shift) & 255) - mean) ** 2 * count, 0);
  });
  const spread = Math.max(...spreads);
  return { box, spread, shift: channels[spreads.indexOf(spread)] };
}

function halves({ box, shift }) {
  const value = ([colour]) => (colour >> shift) & 255;
  const total = box.reduce((sum, each) => sum + each[1], 0);
  const mean = box.reduce((sum, each) => sum + value(each) * each[1], 0) / total;
  return [box.filter((each) => value(each) <= mean), box.filter((each) => value(each) > mean)];
}

/** The colour that most of a box's pixels have: flat faces and plain text keep theirs exactly. */
function middle(box) {
  return box.reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}
