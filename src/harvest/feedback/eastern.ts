import type { Sign } from './tone.js';

/**
 * Chinese and Japanese: no spaces tell words apart, and what says no is a part of the word. So each form is listed, those
 * first in which a bad word says something good (没问题, 不错, 間違いない).
 */
export function eastern(part: string): Sign {
  const words = part.replaceAll(/\s/gu, '');
  if (refusals.test(words)) return 'rather-bad';
  if (fineAfterAll.test(words)) return 'good';
  if (bad.test(words)) return 'bad';
  if (good.test(words)) return 'good';
  return courtesy.test(words) ? 'rather-good' : undefined;
}

const refusals = /^(?:不|不是|不要|いいえ|いや|いえ)$/u;

/** What may stand before a judgement: that it speaks of the answer, and how. */
const about =
  '^(?:嗯|哦|啊|这样|这个|这|那个|那|它|结果|代码|测试|程序|答案|现在|已经|还是|还|仍然|仍|依然|依旧|又|也|都|全部|全|完全|真的|真|你|刚才|看起来|似乎|好像|并|一切|基本|それ|これ|まだ|今度は|今は|もう|うまく|でも|しかし|結果|コード|テスト|は|が|で|も|、)*';

const fineAfterAll = new RegExp(
  `${about}(?:(?:没有?|无)(?:什么)?(?:任何)?(?:问题|错误|报错|错)|不错|不再(?:报错|出错|失败|崩溃)|没那么糟|問題(?:は)?(?:ない|ありません|なし)|間違い(?:は)?(?:ない|ありません)|間違ってい?(?:ない|ません)|悪くない|エラーが?(?:出なく|なくな|消え))`,
  'u',
);

const bad = new RegExp(
  `${about}(?:不对|不是(?:这样|这个|我)|不行|不太?好|不够|不太对|不正确|不完美|不能用|不起作用|不管用|不工作|不可以|没有?(?:完全|任何)?(?:修好|修复|解决|生效|成功|通过|变化|用|改|用处|效果)|没用|错了|是错的|错的|弄错|搞错|改错|有(?:错误|问题|错|bug)|(?:报错|出错|失败|崩溃)(?:了|$)|坏了|一样的?(?:错误|问题)?$|重做|重来|重新来|撤销|回退|忘了|漏了|` +
    `違う|違います|違って|ちがう|ちがいます|間違(?:い|って|え)|だめ|ダメ|駄目|動か(?:ない|なかった)|動きません|動いてい?(?:ない|ません)|直って(?:い)?(?:ない|ません)|直りません|直ってません|うまくい(?:かない|きません|かなかった)|エラーが?(?:出|で|発生)|エラーに|エラーです|失敗し|おかしい|正しく(?:ない|ありません)|良くない|よくない|できてい?(?:ない|ません)|やり直|元に戻して|そうじゃない|そうではない)`,
  'u',
);

const good = new RegExp(
  `${about}(?:对了|对的|很对|很好|太好了|太棒了|很棒|完美|正确|可以了|能用了|好用|好了|更好|没错|解决了|修好了|修复了|搞定|成功了|通过了|正常了|生效了|有用|行了|赞|就是这样|` +
    `完璧|いいですね|良いですね|いい感じ|良くな(?:った|りました)|よくな(?:った|りました)|直った|直りました|直っています|動いた|動きました|動きます|動いています|動くようにな|うまくい(?:った|きました)|正しい(?:です)?$|その通り|素晴らしい|すばらしい|okです|大丈夫)`,
  'u',
);

const courtesy = /^(?:(?:好的?|对|可以)$|谢谢|多谢|感谢|ありがとう)/u;
