// PTX instructions and what they compute, in C: INSTRUCTION(text, bytes of %d, %a, %b, %c, value).
// In the values, a, b and c are unsigned 64-bit; w, s, l, f, d, h before a letter mean its low bits
// as uint32_t, int32_t, int64_t, float, double, uint16_t, and k as int16_t.

INSTRUCTION("add.u16 %d, %a, %b;", 2, 2, 2, 0, (uint16_t)(ha + hb))
INSTRUCTION("add.s32 %d, %a, %b;", 4, 4, 4, 0, wa + wb)
INSTRUCTION("add.s64 %d, %a, %b;", 8, 8, 8, 0, a + b)
INSTRUCTION("add.sat.s32 %d, %a, %b;", 4, 4, 4, 0,
            word((int32_t)fmax(fmin((double)sa + sb, INT32_MAX), INT32_MIN)))
INSTRUCTION("{ .reg .b32 l, h; add.cc.u32 l, %a, %b; addc.u32 h, %b, %c; shl.b32 h, h, 7; "
            "xor.b32 %d, l, h; }",
            4, 4, 4, 4,
            (wa + wb) ^ (uint32_t)(wb + wc + (uint32_t)(((uint64_t)wa + wb) >> 32)) << 7)
INSTRUCTION("{ .reg .b32 l, h; sub.cc.u32 l, %a, %b; subc.cc.u32 h, %b, %c; subc.u32 %d, h, l; }",
            4, 4, 4, 4, (wb - wc - (wa < wb)) - (wa - wb) - (wb < (uint64_t)wc + (wa < wb)))
INSTRUCTION("{ .reg .b32 l, h; mad.lo.cc.u32 l, %a, %b, %c; madc.hi.u32 h, %a, %b, 0; "
            "mov.b64 %d, {l, h}; }",
            8, 4, 4, 4, (uint64_t)wa *wb + wc)
INSTRUCTION("sub.u16 %d, %a, %b;", 2, 2, 2, 0, (uint16_t)(ha - hb))
INSTRUCTION("sub.u32 %d, %a, %b;", 4, 4, 4, 0, wa - wb)
INSTRUCTION("sub.s64 %d, %a, %b;", 8, 8, 8, 0, a - b)
INSTRUCTION("sub.sat.s32 %d, %a, %b;", 4, 4, 4, 0,
            word((int32_t)fmax(fmin((double)sa - sb, INT32_MAX), INT32_MIN)))
INSTRUCTION("mul.lo.u16 %d, %a, %b;", 2, 2, 2, 0, (uint16_t)((uint32_t)ha *hb))
INSTRUCTION("mul.lo.s32 %d, %a, %b;", 4, 4, 4, 0, wa *wb)
INSTRUCTION("mul.lo.u64 %d, %a, %b;", 8, 8, 8, 0, a *b)
INSTRUCTION("mul.hi.u16 %d, %a, %b;", 2, 2, 2, 0, (uint32_t)ha *hb >> 16)
INSTRUCTION("mul.hi.s16 %d, %a, %b;", 2, 2, 2, 0, (uint16_t)((int32_t)ka *kb >> 16))
INSTRUCTION("mul.hi.u32 %d, %a, %b;", 4, 4, 4, 0, (uint64_t)wa *wb >> 32)
INSTRUCTION("mul.hi.s32 %d, %a, %b;", 4, 4, 4, 0, word((int32_t)((int64_t)sa *sb >> 32)))
INSTRUCTION("mul.hi.u64 %d, %a, %b;", 8, 8, 8, 0, high_product(a, b))
INSTRUCTION("mul.hi.s64 %d, %a, %b;", 8, 8, 8, 0,
            high_product(a, b) - (la < 0 ? b : 0) - (lb < 0 ? a : 0))
INSTRUCTION("mul.wide.u16 %d, %a, %b;", 4, 2, 2, 0, (uint32_t)ha *hb)
INSTRUCTION("mul.wide.s16 %d, %a, %b;", 4, 2, 2, 0, word((int32_t)ka *kb))
INSTRUCTION("mul.wide.u32 %d, %a, %b;", 8, 4, 4, 0, (uint64_t)wa *wb)
INSTRUCTION("mul.wide.s32 %d, %a, %b;", 8, 4, 4, 0, (uint64_t)((int64_t)sa *sb))
INSTRUCTION("mad.lo.u16 %d, %a, %b, %c;", 2, 2, 2, 2, (uint16_t)((uint32_t)ha *hb + hc))
INSTRUCTION("mad.lo.s32 %d, %a, %b, %c;", 4, 4, 4, 4, wa *wb + wc)
INSTRUCTION("mad.lo.s64 %d, %a, %b, %c;", 8, 8, 8, 8, a *b + c)
INSTRUCTION("mad.hi.u32 %d, %a, %b, %c;", 4, 4, 4, 4, (uint32_t)((uint64_t)wa *wb >> 32) + wc)
INSTRUCTION("mad.hi.s32 %d, %a, %b, %c;", 4, 4, 4, 4, (uint32_t)((int64_t)sa *sb >> 32) + wc)
INSTRUCTION("mad.wide.u32 %d, %a, %b, %c;", 8, 4, 4, 8, (uint64_t)wa *wb + c)
INSTRUCTION("mad.wide.s32 %d, %a, %b, %c;", 8, 4, 4, 8, (uint64_t)((int64_t)sa *sb) + c)
INSTRUCTION("mul24.lo.u32 %d, %a, %b;", 4, 4, 4, 0, (wa & 0xffffff) * (wb & 0xffffff))
INSTRUCTION("sad.u32 %d, %a, %b, %c;", 4, 4, 4, 4, (wa > wb ? wa - wb : wb - wa) + wc)
INSTRUCTION("sad.s32 %d, %a, %b, %c;", 4, 4, 4, 4, (sa > sb ? wa - wb : wb - wa) + wc)
INSTRUCTION("div.u16 %d, %a, %b;", 2, 2, 2, 0, hb ? ha / hb : 0xffff)
INSTRUCTION("div.u32 %d, %a, %b;", 4, 4, 4, 0, wb ? wa / wb : 0xffffffff)
INSTRUCTION("div.s32 %d, %a, %b;", 4, 4, 4, 0, sb ? word((int64_t)sa / sb) : 0xffffffff)
INSTRUCTION("div.u64 %d, %a, %b;", 8, 8, 8, 0, b ? a / b : UINT64_MAX)
INSTRUCTION("div.s64 %d, %a, %b;", 8, 8, 8, 0,
            lb == 0    ? UINT64_MAX
            : lb == -1 ? 0 - a
                       : (uint64_t)(la / lb))
INSTRUCTION("rem.u32 %d, %a, %b;", 4, 4, 4, 0, wb ? wa % wb : wa)
INSTRUCTION("rem.s32 %d, %a, %b;", 4, 4, 4, 0, sb ? word((int64_t)sa % sb) : wa)
INSTRUCTION("rem.u64 %d, %a, %b;", 8, 8, 8, 0, b ? a % b : a)
INSTRUCTION("rem.s64 %d, %a, %b;", 8, 8, 8, 0, lb == 0 ? a : lb == -1 ? 0 : (uint64_t)(la % lb))
INSTRUCTION("neg.s16 %d, %a;", 2, 2, 0, 0, (uint16_t)-ha)
INSTRUCTION("neg.s32 %d, %a;", 4, 4, 0, 0, 0 - wa)
INSTRUCTION("neg.s64 %d, %a;", 8, 8, 0, 0, 0 - a)
INSTRUCTION("abs.s32 %d, %a;", 4, 4, 0, 0, sa < 0 ? 0 - wa : wa)
INSTRUCTION("abs.s64 %d, %a;", 8, 8, 0, 0, la < 0 ? 0 - a : a)
INSTRUCTION("min.u16 %d, %a, %b;", 2, 2, 2, 0, ha < hb ? ha : hb)
INSTRUCTION("min.s32 %d, %a, %b;", 4, 4, 4, 0, sa < sb ? wa : wb)
INSTRUCTION("min.u64 %d, %a, %b;", 8, 8, 8, 0, a < b ? a : b)
INSTRUCTION("max.s16 %d, %a, %b;", 2, 2, 2, 0, ka > kb ? ha : hb)
INSTRUCTION("max.u32 %d, %a, %b;", 4, 4, 4, 0, wa > wb ? wa : wb)
INSTRUCTION("max.s64 %d, %a, %b;", 8, 8, 8, 0, la > lb ? a : b)

INSTRUCTION("and.b16 %d, %a, %b;", 2, 2, 2, 0, ha &hb)
INSTRUCTION("and.b32 %d, %a, %b;", 4, 4, 4, 0, wa &wb)
INSTRUCTION("or.b64 %d, %a, %b;", 8, 8, 8, 0, a | b)
INSTRUCTION("xor.b32 %d, %a, %b;", 4, 4, 4, 0, wa ^ wb)
INSTRUCTION("not.b64 %d, %a;", 8, 8, 0, 0, ~a)
INSTRUCTION("cnot.b32 %d, %a;", 4, 4, 0, 0, !wa)
INSTRUCTION("shl.b16 %d, %a, %b;", 2, 2, 4, 0, wb < 16 ? (uint16_t)(ha << wb) : 0)
INSTRUCTION("shl.b32 %d, %a, %b;", 4, 4, 4, 0, wb < 32 ? wa << wb : 0)
INSTRUCTION("shl.b64 %d, %a, %b;", 8, 8, 4, 0, wb < 64 ? a << wb : 0)
INSTRUCTION("shr.u16 %d, %a, %b;", 2, 2, 4, 0, wb < 16 ? ha >> wb : 0)
INSTRUCTION("shr.s16 %d, %a, %b;", 2, 2, 4, 0, (uint16_t)(ka >> (wb < 16 ? wb : 15)))
INSTRUCTION("shr.u32 %d, %a, %b;", 4, 4, 4, 0, wb < 32 ? wa >> wb : 0)
INSTRUCTION("shr.s32 %d, %a, %b;", 4, 4, 4, 0, word(sa >> (wb < 32 ? wb : 31)))
INSTRUCTION("shr.b64 %d, %a, %b;", 8, 8, 4, 0, wb < 64 ? a >> wb : 0)
INSTRUCTION("shr.s64 %d, %a, %b;", 8, 8, 4, 0, (uint64_t)(la >> (wb < 64 ? wb : 63)))
INSTRUCTION("popc.b32 %d, %a;", 4, 4, 0, 0, count_bits(wa))
INSTRUCTION("popc.b64 %d, %a;", 4, 8, 0, 0, count_bits(a))
INSTRUCTION("clz.b32 %d, %a;", 4, 4, 0, 0, 31 - (uint32_t)top_bit(wa))
INSTRUCTION("clz.b64 %d, %a;", 4, 8, 0, 0, 63 - (uint32_t)top_bit(a))
INSTRUCTION("brev.b32 %d, %a;", 4, 4, 0, 0, mirror(wa, 32))
INSTRUCTION("brev.b64 %d, %a;", 8, 8, 0, 0, mirror(a, 64))
INSTRUCTION("bmsk.clamp.b32 %d, %a, %b;", 4, 4, 4, 0, bit_mask(wa, wb))
INSTRUCTION("{ .reg .b32 x, y; and.b32 x, %a, 63; and.b32 y, %b, 63; bmsk.clamp.b32 %d, x, y; }", 4,
            4, 4, 0, bit_mask(wa % 64, wb % 64))
INSTRUCTION("bmsk.wrap.b32 %d, %a, %b;", 4, 4, 4, 0, bit_mask(wa % 32, wb % 32))
INSTRUCTION("{ .reg .b32 x; and.b32 x, %b, 31; fns.b32 %d, %a, x, 3; }", 4, 4, 4, 0,
            nth_set(wa, wb % 32, 3, 1))
INSTRUCTION("{ .reg .b32 x; and.b32 x, %b, 31; fns.b32 %d, %a, x, -2; }", 4, 4, 4, 0,
            nth_set(wa, wb % 32, 2, -1))
INSTRUCTION("{ .reg .b32 x; and.b32 x, %b, 31; fns.b32 %d, %a, x, 0; }", 4, 4, 4, 0,
            wa >> wb % 32 & 1 ? wb % 32 : 0xffffffff)
INSTRUCTION("bfind.u32 %d, %a;", 4, 4, 0, 0, (uint32_t)top_bit(wa))
INSTRUCTION("bfind.s32 %d, %a;", 4, 4, 0, 0, (uint32_t)top_bit(sa < 0 ? ~wa : wa))
INSTRUCTION("bfind.u64 %d, %a;", 4, 8, 0, 0, (uint32_t)top_bit(a))
INSTRUCTION("bfind.s64 %d, %a;", 4, 8, 0, 0, (uint32_t)top_bit(la < 0 ? ~a : a))
INSTRUCTION("bfind.shiftamt.u32 %d, %a;", 4, 4, 0, 0, wa ? 31 - (uint32_t)top_bit(wa) : 0xffffffff)
INSTRUCTION("{ .reg .b32 p, n; and.b32 p, %b, 31; and.b32 n, %c, 31; bfe.u32 %d, %a, p, n; }", 4, 4,
            4, 4, wa >> (wb & 31) & ((1u << (wc & 31)) - 1))
INSTRUCTION("{ .reg .b32 p; and.b32 p, %b, 15; bfe.s32 %d, %a, p, 9; }", 4, 4, 4, 0,
            word((int32_t)(wa >> (wb & 15) << 23) >> 23))
INSTRUCTION("bfe.u64 %d, %a, 20, 30;", 8, 8, 0, 0, a >> 20 & 0x3fffffff)
INSTRUCTION("bfe.s64 %d, %a, 20, 64;", 8, 8, 0, 0, (uint64_t)(la >> 20))
INSTRUCTION("bfi.b32 %d, %a, %b, 7, 11;", 4, 4, 4, 0, (wb & ~(0x7ffu << 7)) | (wa & 0x7ff) << 7)
INSTRUCTION("bfi.b64 %d, %a, %b, 7, 40;", 8, 8, 8, 0,
            (b & ~(0xffffffffffull << 7)) | (a & 0xffffffffffull) << 7)
INSTRUCTION("prmt.b32 %d, %a, %b, 0x3542;", 4, 4, 4, 0,
            (wa >> 16 & 255) | (wb & 255) << 8 | (wb >> 8 & 255) << 16 | (wa >> 24) << 24)
INSTRUCTION("prmt.b32 %d, %a, %b, 0xfc98;", 4, 4, 4, 0,
            (wa & 0x80 ? 0xffu : 0) | (wa & 0x8000 ? 0xff00u : 0) | (wb & 0x80 ? 0xff0000u : 0) |
                (wb >> 31 ? 0xff000000u : 0))
INSTRUCTION("shf.l.wrap.b32 %d, %a, %b, %c;", 4, 4, 4, 4,
            wc & 31 ? wb << (wc & 31) | wa >> (32 - (wc & 31)) : wb)
INSTRUCTION("shf.r.wrap.b32 %d, %a, %b, %c;", 4, 4, 4, 4,
            wc & 31 ? wa >> (wc & 31) | wb << (32 - (wc & 31)) : wa)
INSTRUCTION("shf.l.clamp.b32 %d, %a, %b, 40;", 4, 4, 4, 0, wa)
INSTRUCTION("shf.r.clamp.b32 %d, %a, %b, 40;", 4, 4, 4, 0, wb)
INSTRUCTION("lop3.b32 %d, %a, %b, %c, 0xe8;", 4, 4, 4, 4, (wa & wb) | (wa & wc) | (wb & wc))
INSTRUCTION("lop3.b32 %d, %a, %b, %c, 0x96;", 4, 4, 4, 4, wa ^ wb ^ wc)

INSTRUCTION("add.f32 %d, %a, %b;", 4, 4, 4, 0, f32_bits(fa + fb))
INSTRUCTION("add.rz.f32 %d, %a, %b;", 4, 4, 4, 0, ADD_ROUNDED(FE_TOWARDZERO))
INSTRUCTION("add.rm.f32 %d, %a, %b;", 4, 4, 4, 0, ADD_ROUNDED(FE_DOWNWARD))
INSTRUCTION("add.rp.f32 %d, %a, %b;", 4, 4, 4, 0, ADD_ROUNDED(FE_UPWARD))
INSTRUCTION("add.sat.f32 %d, %a, %b;", 4, 4, 4, 0, f32_bits(clamped(fa + fb)))
INSTRUCTION("add.ftz.f32 %d, %a, %b;", 4, 4, 4, 0, f32_bits(flushed(flushed(fa) + flushed(fb))))
INSTRUCTION("sub.f32 %d, %a, %b;", 4, 4, 4, 0, f32_bits(fa - fb))
INSTRUCTION("mul.rn.f32 %d, %a, %b;", 4, 4, 4, 0, f32_bits(fa *fb))
INSTRUCTION("fma.rn.f32 %d, %a, %b, %c;", 4, 4, 4, 4, f32_bits(fmaf(fa, fb, fc)))
INSTRUCTION("div.rn.f32 %d, %a, %b;", 4, 4, 4, 0, f32_bits(fa / fb))
INSTRUCTION("rcp.rn.f32 %d, %a;", 4, 4, 0, 0, f32_bits(1 / fa))
INSTRUCTION("sqrt.rn.f32 %d, %a;", 4, 4, 0, 0, f32_bits(sqrtf(fa)))
INSTRUCTION("neg.f32 %d, %a;", 4, 4, 0, 0, wa ^ 0x80000000u)
INSTRUCTION("abs.f32 %d, %a;", 4, 4, 0, 0, wa & 0x7fffffff)
INSTRUCTION("min.f32 %d, %a, %b;", 4, 4, 4, 0,
            isnan(fa)            ? wb
            : isnan(fb)          ? wa
            : fa == 0 && fb == 0 ? (wa | wb)
            : fa < fb            ? wa
                                 : wb)
INSTRUCTION("max.f32 %d, %a, %b;", 4, 4, 4, 0,
            isnan(fa)            ? wb
            : isnan(fb)          ? wa
            : fa == 0 && fb == 0 ? (wa & wb)
            : fa > fb            ? wa
                                 : wb)
INSTRUCTION("copysign.f32 %d, %a, %b;", 4, 4, 4, 0, (wb & 0x7fffffff) | (wa & 0x80000000u))
INSTRUCTION("ex2.approx.f32 %d, %a;", 4, 4, 0, 0, f32_bits(exp2f(fa)))
INSTRUCTION("lg2.approx.f32 %d, %a;", 4, 4, 0, 0, f32_bits(log2f(fa)))
INSTRUCTION("sin.approx.f32 %d, %a;", 4, 4, 0, 0, f32_bits(sinf(fa)))
INSTRUCTION("cos.approx.f32 %d, %a;", 4, 4, 0, 0, f32_bits(cosf(fa)))
INSTRUCTION("add.f64 %d, %a, %b;", 8, 8, 8, 0, f64_bits(da + db))
INSTRUCTION("sub.f64 %d, %a, %b;", 8, 8, 8, 0, f64_bits(da - db))
INSTRUCTION("mul.f64 %d, %a, %b;", 8, 8, 8, 0, f64_bits(da *db))
INSTRUCTION("fma.rn.f64 %d, %a, %b, %c;", 8, 8, 8, 8, f64_bits(fma(da, db, dc)))
INSTRUCTION("div.rn.f64 %d, %a, %b;", 8, 8, 8, 0, f64_bits(da / db))
INSTRUCTION("sqrt.rn.f64 %d, %a;", 8, 8, 0, 0, f64_bits(sqrt(da)))
INSTRUCTION("neg.f64 %d, %a;", 8, 8, 0, 0, a ^ 1ull << 63)

INSTRUCTION("cvt.u64.u32 %d, %a;", 8, 4, 0, 0, wa)
INSTRUCTION("cvt.s64.s32 %d, %a;", 8, 4, 0, 0, (uint64_t)(int64_t)sa)
INSTRUCTION("cvt.u32.u64 %d, %a;", 4, 8, 0, 0, wa)
INSTRUCTION("cvt.s32.s16 %d, %a;", 4, 2, 0, 0, word(ka))
INSTRUCTION("cvt.u32.u16 %d, %a;", 4, 2, 0, 0, ha)
INSTRUCTION("cvt.u16.u32 %d, %a;", 2, 4, 0, 0, ha)
INSTRUCTION("cvt.s32.s8 %d, %a;", 4, 4, 0, 0, word((int8_t)wa))
INSTRUCTION("cvt.u32.u8 %d, %a;", 4, 4, 0, 0, wa & 255)
INSTRUCTION("cvt.s64.s16 %d, %a;", 8, 2, 0, 0, (uint64_t)(int64_t)ka)
INSTRUCTION("cvt.sat.u8.s32 %d, %a;", 4, 4, 0, 0, sa<0 ? 0 : sa> 255 ? 255 : wa)
INSTRUCTION("cvt.sat.s16.s32 %d, %a;", 4, 4, 0, 0,
            word(sa<INT16_MIN ? INT16_MIN : sa> INT16_MAX ? INT16_MAX : sa))
INSTRUCTION("cvt.rn.f32.s32 %d, %a;", 4, 4, 0, 0, f32_bits((float)sa))
INSTRUCTION("cvt.rn.f32.u32 %d, %a;", 4, 4, 0, 0, f32_bits((float)wa))
INSTRUCTION("cvt.rz.f32.s32 %d, %a;", 4, 4, 0, 0, CONVERT_ROUNDED(FE_TOWARDZERO, sa))
INSTRUCTION("cvt.rp.f32.u64 %d, %a;", 4, 8, 0, 0, CONVERT_ROUNDED(FE_UPWARD, a))
INSTRUCTION("cvt.rm.f32.s64 %d, %a;", 4, 8, 0, 0, CONVERT_ROUNDED(FE_DOWNWARD, la))
INSTRUCTION("cvt.rn.f64.s64 %d, %a;", 8, 8, 0, 0, f64_bits((double)la))
INSTRUCTION("cvt.rn.f64.u64 %d, %a;", 8, 8, 0, 0, f64_bits((double)a))
INSTRUCTION("cvt.f64.f32 %d, %a;", 8, 4, 0, 0, f64_bits(fa))
INSTRUCTION("cvt.rn.f32.f64 %d, %a;", 4, 8, 0, 0, f32_bits((float)da))
INSTRUCTION("cvt.rz.f32.f64 %d, %a;", 4, 8, 0, 0, CONVERT_ROUNDED(FE_TOWARDZERO, da))
INSTRUCTION("cvt.rzi.s32.f32 %d, %a;", 4, 4, 0, 0, word(to_signed(truncf(fa), 32)))
INSTRUCTION("cvt.rni.s32.f32 %d, %a;", 4, 4, 0, 0, word(to_signed(rintf(fa), 32)))
INSTRUCTION("cvt.rmi.s32.f32 %d, %a;", 4, 4, 0, 0, word(to_signed(floorf(fa), 32)))
INSTRUCTION("cvt.rpi.s64.f64 %d, %a;", 8, 8, 0, 0, (uint64_t)to_signed(ceil(da), 64))
INSTRUCTION("cvt.rzi.u32.f32 %d, %a;", 4, 4, 0, 0, to_unsigned(truncf(fa), 32))
INSTRUCTION("cvt.rzi.u64.f64 %d, %a;", 8, 8, 0, 0, to_unsigned(trunc(da), 64))
INSTRUCTION("cvt.rni.f32.f32 %d, %a;", 4, 4, 0, 0, f32_bits(rintf(fa)))
INSTRUCTION("cvt.rpi.f64.f64 %d, %a;", 8, 8, 0, 0, f64_bits(ceil(da)))
INSTRUCTION("cvt.sat.f32.f32 %d, %a;", 4, 4, 0, 0, f32_bits(clamped(fa)))

#define COMPARE(relation, type, size, value)                                                       \
    INSTRUCTION("{ .reg .pred p; setp." relation "." type " p, %a, %b; selp.u32 %d, 7, 9, p; }",   \
                4, size, size, 0, (value) ? 7 : 9)
COMPARE("eq", "u16", 2, ha == hb)
COMPARE("lt", "s16", 2, ka < kb)
COMPARE("eq", "b32", 4, wa == wb)
COMPARE("ne", "s32", 4, wa != wb)
COMPARE("lt", "s32", 4, sa < sb)
COMPARE("le", "u32", 4, wa <= wb)
COMPARE("lo", "u32", 4, wa < wb)
COMPARE("hs", "u64", 8, a >= b)
COMPARE("gt", "s64", 8, la > lb)
COMPARE("ge", "u64", 8, a >= b)
COMPARE("eq", "f32", 4, fa == fb)
COMPARE("ne", "f32", 4, fa<fb || fa> fb)
COMPARE("lt", "f32", 4, fa < fb)
COMPARE("ge", "f32", 4, fa >= fb)
COMPARE("equ", "f32", 4, isunordered(fa, fb) || fa == fb)
COMPARE("neu", "f32", 4, fa != fb)
COMPARE("ltu", "f32", 4, !(fa >= fb))
COMPARE("geu", "f32", 4, !(fa < fb))
COMPARE("num", "f32", 4, !isunordered(fa, fb))
COMPARE("lt.ftz", "f32", 4, flushed(fa) < flushed(fb))
COMPARE("eq.ftz", "f32", 4, flushed(fa) == flushed(fb))
COMPARE("nan", "f64", 8, isunordered(da, db))
COMPARE("gt", "f64", 8, da > db)
COMPARE("leu", "f64", 8, !(da > db))
#undef COMPARE

INSTRUCTION("{ .reg .pred p, q, r; setp.lt.s32 r, %b, %c; setp.lt.and.s32 p|q, %a, %b, r; "
            "selp.u32 %d, 1, 0, p; @q add.s32 %d, %d, 2; }",
            4, 4, 4, 4, (sa < sb && sb < sc ? 1 : 0) + (!(sa < sb) && sb < sc ? 2 : 0))
INSTRUCTION("{ .reg .pred p, r; setp.lt.s32 r, %b, %c; setp.gt.or.s32 p, %a, %b, !r; "
            "selp.u32 %d, 1, 0, p; }",
            4, 4, 4, 4, sa > sb || !(sb < sc))
INSTRUCTION("{ .reg .pred p, q; setp.lt.s32 p, %a, %b; setp.lt.s32 q, %b, %c; xor.pred p, p, q; "
            "not.pred q, p; and.pred q, q, p; or.pred p, p, q; selp.u32 %d, 1, 0, p; }",
            4, 4, 4, 4, (sa < sb) != (sb < sc))
INSTRUCTION("set.lt.u32.s32 %d, %a, %b;", 4, 4, 4, 0, sa < sb ? 0xffffffff : 0)
INSTRUCTION("set.ge.f32.f32 %d, %a, %b;", 4, 4, 4, 0, fa >= fb ? 0x3f800000 : 0)
INSTRUCTION("{ .reg .pred p; setp.ne.u32 p, %c, 0; selp.b64 %d, %a, %b, p; }", 8, 8, 8, 4,
            wc ? a : b)
INSTRUCTION("mov.b32 %d, %a;", 4, 4, 0, 0, wa)
INSTRUCTION("mov.b64 %d, {%a, %b};", 8, 4, 4, 0, wa | (uint64_t)wb << 32)
INSTRUCTION("{ .reg .b32 x; mov.b64 {x, %d}, %a; xor.b32 %d, %d, x; }", 4, 8, 0, 0,
            wa ^ (uint32_t)(a >> 32))
INSTRUCTION("mov.b32 %d, {%a, %b};", 4, 2, 2, 0, ha | (uint32_t)hb << 16)
INSTRUCTION("{ .reg .b16 x; mov.b32 {_, x}, %a; cvt.u32.u16 %d, x; }", 4, 4, 0, 0, wa >> 16)
